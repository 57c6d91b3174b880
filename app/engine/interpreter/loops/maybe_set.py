"""Places that have numbers only once a pass has taken the branch that sets them.

They hold a placeholder, and a truth beside it says whether they have numbers. What would look at
such a place before has no trace: the first pass is traced without the placeholder, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.dtypes import DType
from app.accel.ir.plan import Reason
from app.engine.interpreter.loops.places import is_number
from app.engine.interpreter.tracing import SetInOneBranch
from app.engine.values import DeviceArray, Value, size_of
from app.engine.values.types import true_value
from app.records import record

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.engine.interpreter.loops.branches import Outcome
    from app.engine.interpreter.loops.places import Place
    from app.engine.interpreter.loops.tracer import Tracer


@record
class Maybe:
    """What is known of such a place.

    Attributes:
        carry: its placeholder.
        flag: the place of the truth that it has numbers.
        before: what it held before the loop.
    """

    carry: Node
    flag: Place
    before: Value


def nodes_after(tracer: Tracer, ways: tuple[Outcome, Outcome], place: Place) -> list[Node]:
    """The nodes at a place after two ways through the pass.

    Raises `SetInOneBranch` where only one of them sets it, if that is new.
    """
    if not _is_maybe_set(tracer, ways, place):
        return [tracer.node_after(way, place) for way in ways]
    found: list[Node | None] = [way.values.get(place) for way in ways]
    made = next(node for node in found if node is not None)
    if place not in tracer.maybe:
        raise SetInOneBranch(place, made)
    return [tracer.maybe[place].carry if node is None else node for node in found]


def _is_maybe_set(tracer: Tracer, ways: tuple[Outcome, Outcome], place: Place) -> bool:
    """Whether one of two ways sets a variable that held no numbers before the pass."""
    everywhere = all(place in way.values for way in ways)
    if everywhere or place[1] or place[0][0] != "variable" or not tracer.keeps_unset:
        return False
    if place not in tracer.kept.leaves:
        return False
    value = tracer.kept.leaves[place]
    return value is None or (is_number(value) and 0 in size_of(value))


def note_flags(tracer: Tracer, values: dict[Place, Node]) -> None:
    """Say which of these places a way through the pass has set."""
    for place, maybe in tracer.maybe.items():
        untouched = values.get(place, maybe.carry) is maybe.carry
        yes = tracer.runtime.scalar(True, DType.BOOL)
        values[maybe.flag] = tracer.carries[maybe.flag] if untouched else yes


def still_unset(tracer: Tracer, after: dict[Place, Value], nodes: list[Node]) -> list[Place]:
    """The places whose branch was never taken, after passes with these values."""
    found = []
    for place, maybe in tracer.maybe.items():
        is_set = after[maybe.flag]
        if type(is_set) is DeviceArray:  # only the data know
            tracer.runtime.evaluate(nodes, Reason.NEEDS_HOST_VALUE, "was a branch taken?")
            is_set = is_set.gather()
        if not true_value(is_set):
            found.append(place)
    return found
