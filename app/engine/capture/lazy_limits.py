"""From which size on results go to the acceleration graph: for the session, and for a line.

Planning costs some hundred microseconds. Where a line of the script computes small results that
are needed at once, again and again, they are computed at once. This is learnt for that line, by the
size of its results, is said at the line, and is forgotten after some hundred uses, so that a line
whose use has changed goes back to the graph. No line learns from another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app.engine.values.lazy import DeviceArray
from app.records import mutable_record

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.engine.capture.growing import GrowingArrays
    from app.engine.values import Array, Value

LONG = 1 << 16
"""Shorter rows and columns are made at once: making them costs less than the graph would. One core
is done with shorter arrays before work on them has been handed to all."""

Place: TypeAlias = "tuple[str, int]"
"""A file and a line of the script."""

UNLIMITED = 1 << 30
HASTY = 24
"""Evaluations for little work after which a line computes its results at once."""
MOST = 1 << 18
"""Elements of the largest result that is ever computed at once for this reason."""
LOOKED_AT = 12
"""Nodes of a pending value among which data are looked for that lie on the device."""
USES = 1024
"""Results that are computed at once before the line is tried on the graph again."""


def nowhere() -> Place:
    """The place while no script runs."""
    return "", 0


@mutable_record
class Habit:
    """What a line of the script has shown.

    Attributes:
        hasty: evaluations that were needed at once for little work; longer ones count against it.
        largest: elements of the largest result among them.
        left: results that are still computed at once; 0 until the line is known to be hasty.
    """

    hasty: int = 0
    largest: int = 0
    left: int = 0


class _Limits(threading.local):
    """Numbers shared with the capture path; each thread has its own.

    Attributes:
        capture: arrays with this many elements or more go to the graph.
        in_loops: of so many elements or more, the passes of long loops do.
        at_once: little that is made of arrays of up to so many elements is computed at once.
        habits: what lines have shown that compute small results at once.
        place: gives the place in the script that runs now.
        pure: True while a pass of a loop is traced: what has effects is refused.
        growing: the arrays that grow in that pass; None where there are none.
    """

    def __init__(self) -> None:
        self.capture = self.in_loops = UNLIMITED
        self.at_once = 0
        self.pure = False
        self.growing: GrowingArrays | None = None
        self.habits: dict[Place, Habit] = {}
        self.place: Callable[[], Place] = nowhere


Limits = _Limits()


def is_captured(count: int) -> bool:
    """Whether a result of so many elements goes to the graph."""
    return count >= Limits.capture and not (Limits.habits and _at_once(count))


def is_spread(x: Array, y: Array) -> bool:
    """Whether two small arrays, such as a column and a row, give one that goes to the graph."""
    if x.size * y.size < Limits.capture or x.shape == y.shape:
        return False
    count = 1
    for m, n in zip_longest(x.shape, y.shape, fillvalue=1):
        count *= n if m == 1 else m
    return is_captured(count)


def stays_lazy(operands: Iterable[Value]) -> bool:
    """Whether an operation on these belongs on the graph; one of them is large or lazy.

    The size of the result decides, pending scalars stay where they are, and what lies on the device
    alone, or is to be made of it there, is not fetched for this.
    """
    if not Limits.habits:
        return True
    shape: list[int] = []
    for a in operands:
        if type(a) is DeviceArray:
            if a.pending is not None or a.undecided is not None:
                return True
            node = a.node
            if (a.size == 1 and node.op != "leaf") or _is_away(a):
                return True
        elif type(a) is not np.ndarray:
            continue
        shape += [1] * (len(a.shape) - len(shape))
        for axis, extent in enumerate(a.shape):
            shape[axis] = max(shape[axis], extent)
    count = 1
    for extent in shape:
        count *= extent
    return not _at_once(count)


def gives_little(count: int, operands: Iterable[Value]) -> bool:
    """Whether so many elements, made of larger operands, are computed at once on the host.

    A product with a vector or a sum of a modest matrix takes less time than its plan. What lies on
    a device, be it a copy that ``gpuArray`` asked for, is worked on there; what a mask is still to
    select is not fetched for this.
    """
    if count >= Limits.capture or Limits.pure:
        return False
    for a in operands:
        if type(a) is DeviceArray:
            if a.pending is not None or a.undecided is not None or a.size > Limits.at_once:
                return False
            if _is_away(a) or a.runtime.state(a.node) == "both":
                return False
        elif type(a) is np.ndarray and a.size > Limits.at_once:
            return False
    return True


def is_on_host(v: Value) -> bool:
    """Whether the data are here already; what is to be computed yet is not."""
    if type(v) is not DeviceArray:
        return True
    if v.pending is not None or v.undecided is not None:
        return False
    return v.known or v.runtime.state(v.node) in {"host", "both"}


def leaves_below(node: Node) -> Iterator[Node]:
    """The leaves among the nodes next below one, itself included; of large graphs not all."""
    nodes = [node]
    for found in nodes:
        if found.op == "leaf":
            yield found
        nodes += found.inputs[: LOOKED_AT - len(nodes)]


def _is_away(a: DeviceArray) -> bool:
    """Whether a value that is not known here is on the device alone, or is to be made of such."""
    state = a.runtime.state
    return not a.known and any(state(leaf) == "device" for leaf in leaves_below(a.node))


def _at_once(count: int) -> bool:
    """Whether the line that runs now computes a result of this size at once."""
    place = Limits.place()
    habit = Limits.habits.get(place)
    if habit is None or count > habit.largest:
        return False
    habit.left -= 1
    if not habit.left:
        del Limits.habits[place]
    return True


class Learning:
    """What lines have shown so far in this run."""

    def __init__(self) -> None:
        self.seen: dict[Place, Habit] = {}

    def hasty(self, place: Place, count: int) -> bool:
        """A result of this line was needed at once; whether it is computed at once from now on."""
        habit = self.seen.setdefault(place, Habit())
        habit.hasty, habit.largest = habit.hasty + 1, max(habit.largest, min(count, MOST))
        if habit.hasty < HASTY or place in Limits.habits or count > MOST:
            return False
        habit.left, habit.hasty = USES, HASTY // 2
        Limits.habits[place] = habit
        return True

    def worth_it(self, place: Place) -> None:
        """An evaluation of this line was worth planning."""
        habit = self.seen.get(place)
        if habit is not None:
            habit.hasty = max(0, habit.hasty - 4)
            Limits.habits.pop(place, None)
