"""Whether a loop works on arrays for which its passes may be worth kernels."""

from __future__ import annotations

from types import CellType
from typing import TYPE_CHECKING

import numpy as np

from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.loops.places import contents, holds_large, most_elements
from app.engine.interpreter.tracing import ENDLESS, Tracing
from app.engine.values import DeviceArray, Value

if TYPE_CHECKING:
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.loops.iteration import Counter


def begins_small(
    interpreter: Interpreter, form: LoopForm, source: Counter | None, values: tuple[Value, ...]
) -> bool:
    """Whether a loop that has often worked on little begins with little again, at a glance.

    Most loops are short, and inside others: what this costs they cost.
    """
    entries = form.small_entries
    if entries < SMALL_ENTRIES or not entries % 16 or form.again or interpreter.globals:
        return False
    if _has_large(values, least_size(ENDLESS if source is None else source.count)):
        return False
    form.small_entries += 1
    return True


def worth_a_trace(
    interpreter: Interpreter,
    form: LoopForm,
    passes: float,
    values: tuple[Value, ...],
    cells: dict[str, CellType],
) -> bool:
    """Whether so many passes may be worth kernels, by what the variables and `cells` hold.

    Nothing that traces passes is loaded before: most loops work on little.
    """
    form.again = False
    if Session.runtime is None or Tracing.trace is not None or passes < LEAST_PASSES:
        return False
    if not works_on_large(form, values, others_of(interpreter, cells), least_size(passes)):
        form.small_entries += 1
        return False
    form.small_entries = 0
    return True


def others_of(interpreter: Interpreter, cells: dict[str, CellType]) -> tuple[Value, ...]:
    """What passes can change besides the variables of their loop."""
    return (*map(contents, cells.values()), *interpreter.globals.values())


def works_on_large(
    form: LoopForm, values: tuple[Value, ...], others: tuple[Value, ...], least: int
) -> bool:
    """Whether a variable holds an array of so many elements, or a lazy one, at least now and then
    also in fields and elements: most loops are short, and are asked again and again."""
    given = (*values, *others) if others else values
    if form.small_entries < SMALL_ENTRIES or not form.small_entries % 16:
        return any(holds_large(v, least) for v in given)
    return _has_large(given, least)


def _has_large(values: tuple[Value, ...], least: int) -> bool:
    """Whether one of some values is an array of so many elements, or a lazy one."""
    for v in values:
        if type(v) is np.ndarray:
            if v.size >= least:
                return True
        elif type(v) is DeviceArray and v.size > 1:
            return True
    return False


def computes_few(form: LoopForm, values: tuple[Value, ...]) -> bool:
    """Whether a pass computed too few elements for kernels before, from no smaller arrays."""
    return form.in_machine_code and bool(form.few) and 0 < largest_size(values) <= form.few


def largest_size(values: tuple[Value, ...]) -> int:
    """Elements of the largest array in some values."""
    return max(map(most_elements, values), default=0)


def least_size(passes: float) -> int:
    """Elements of an array from which so many passes are worth a plan."""
    return min(Limits.capture, max(Limits.in_loops, int(WORTH_A_TRACE // passes)))


LEAST_PASSES = 4
WORTH_A_TRACE = 1 << 20
"""Elements in all passes together that the host works on for about a millisecond."""
SMALL_ENTRIES = 8
"""A loop that had no large array so often is searched for one in fields and elements now and then,
for its variables every time."""
