"""Whole-array steps over terms: from these device forms are composed.

Places are numbers from 0 along all elements, as double or integer terms. Columns are terms of
size ``n x 1``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import BOOL, F64, Session, chosen_shape
from app.engine.capture.known_answers import answers
from app.engine.capture.lazy_limits import Limits
from app.engine.capture.terms import Term, cat, constant_array, is_complex, position, term, where
from app.engine.values import Array, DeviceArray, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.ir.node import Node

MANY = 1 << 20
"""Elements whose way to a card and back takes a few milliseconds."""
HOST_MS = 5e-5
"""What a function of the host takes for an element where it sorts, searches or interpolates."""
_ON_HOST = frozenset(("auto", "cpu"))
_WIDTHS = ((255, DType.U8), (65535, DType.U16))


def is_resident(*args: Value) -> bool:
    """Whether data are on the device, or are asked to go there.

    A composition of device steps is many times what one function of the host takes, so that it
    is worth it only where the data are, or for so many that a graphics card is worth the way to it.
    What is pending is evaluated to see, unless an array that is there answers it.
    """
    if not Session.is_active:
        return False
    runtime = Session.runtime
    if runtime.options.device not in _ON_HOST:
        return runtime.open() is not None
    nodes = [a.node for a in args if type(a) is DeviceArray]
    if any(node.op == "leaf" and _is_there(node) for node in nodes):
        return True
    if _are_worth_a_card(args):
        return True
    if not nodes or runtime.device_info is None:
        return False
    if runtime.pending is not None and any(map(runtime.pending, nodes)):
        return bool(runtime.placer.is_apart)  # passes of a loop are placed as a whole, later
    runtime.evaluate(nodes, "needs-host-value: where are the data?")
    return any(map(_is_there, nodes))


def _are_worth_a_card(args: tuple[Value, ...]) -> bool:
    """Whether there are so many elements that a graphics card, which may have to be opened, has
    the answer before the host."""
    most = max((a.size for a in args if isinstance(a, (DeviceArray, np.ndarray))), default=0)
    if most < MANY:
        return False
    with Session.runtime.lock:
        return bool(Session.runtime.planner.has_card_for(most * HOST_MS))


def _is_there(node: Node) -> bool:
    """Whether a value that has been computed is on the device."""
    return Session.runtime.state(node) in ("device", "both")


def resident(*args: Value) -> list[Term] | None:
    """Real arrays whose data are on the device as terms; None for all else."""
    if not is_resident(*args):
        return None
    found = [x for x in map(real_term_of, args) if x is not None]
    return found if len(found) == len(args) else None


def real_term_of(v: Value) -> Term | None:
    """A real value as a term that is certainly not complex; None for all else."""
    x = term(v)
    if x is NotImplemented:
        return None
    if is_complex(x):
        return None
    return Term(x.node)


def apply_operation(op: str, *parts: Term, attrs: tuple[object, ...] = ()) -> Term:
    """An operation of the graph on terms that are not guarded."""
    return Term(Session.runtime.apply(op, tuple(p.node for p in parts), attrs))


def fetch_terms(*parts: Term, cause: str) -> list[Array]:
    """The values of a few small terms, evaluated together unless they are known."""
    return answers([p.node for p in parts], cause)


def holds(truth: Term, cause: str) -> bool:
    """The value of one logical term."""
    return bool(fetch_terms(truth, cause=f"needs-host-value: {cause}")[0].item())


def column(x: Term) -> Term:
    """All elements as a column."""
    return x.reshape((x.size, 1))


def sort_with_places(x: Term, axis: int = 0, descending: bool = False) -> tuple[Term, Term]:
    """The sorted elements and their places from 1 along the axis; equals keep their order."""
    attrs = (axis, descending)
    return apply_operation("sort", x, attrs=attrs), apply_operation("sort_index", x, attrs=attrs)


def order_of_row(keys: DeviceArray, count: int) -> Value:
    """The places from 1 of the smallest `count` elements of a row, in their order."""
    _, places = sort_with_places(Term(keys.node), axis=1)
    return places.part(1, 0, count).value if count else np.zeros((1, 0))


def elements_at(values: Term, places: Term) -> Term:
    """The elements at places, in the shape of the places."""
    index = places.cast(DType.I64)
    return apply_operation("gather", values, index, attrs=(index.shape,))


def rows_taken(x: Term, rows: Term) -> Term:
    """The rows of a matrix at a column of row numbers from 0."""
    if x.shape[1] == 1:
        return elements_at(x, rows)
    return elements_at(x, rows + position((1, x.shape[1]), 1) * float(x.shape[0]))


def scatter(base: Term, places: Term, values: Term) -> Term:
    """``base`` with values set at places; the last of equal places wins."""
    return apply_operation("scatter", base, places.cast(DType.I64), values)


def count_before(x: Term, line: Term, equals: bool) -> Term:
    """How many elements of a sorted column come before each x, its equals included or not."""
    dtype = x.dtype if x.dtype is line.dtype else _common(x.dtype, line.dtype)
    return apply_operation("search", x.cast(dtype), line.cast(dtype), attrs=(equals,))


def _common(a: DType, b: DType) -> DType:
    return DType.F32 if {a, b} == {DType.F32, BOOL} else F64


def line_starts(x: Term) -> Term:
    """In a sorted column, where a new value begins; every NaN is one."""
    if x.shape[0] == 1:
        return constant_array(True, (1, 1), BOOL)
    count = x.shape[0] - 1
    changes = x.part(0, 1, count).ne(x.part(0, 0, count))
    return cat(0, constant_array(True, (1, 1), BOOL), changes)


def select_by_mask(mask: Term, *parts: Term, row: bool = False) -> list[Term] | None:
    """What a mask selects of columns; None where that is nothing. Only the count is fetched."""
    shape = chosen_shape(mask.node, (1, 2) if row else (2, 1))
    if shape is None:
        return None
    return [apply_operation("compact", part, mask, attrs=(shape,)) for part in parts]


def compacted_places(mask: Term) -> Term | None:
    """The places from 0 where a mask holds, as a column; None where that is nowhere."""
    shape = chosen_shape(mask.node, (2, 1))
    return None if shape is None else apply_operation("compact_index", mask, attrs=(shape,)) - 1.0


def sorted_keys(keys: Term, total: int) -> tuple[Term, Term]:
    """A column of whole numbers from 0 to ``total`` sorted, as I32, and the places they were at.

    Both are stored, for all that is summed by the same keys; in a loop that is being traced they
    are what the passes share.
    """
    narrow = next((dtype for most, dtype in _WIDTHS if total <= most), DType.I32)
    lined, order = sort_with_places(keys.cast(narrow))
    stored = lined.cast(DType.I32), order - 1.0
    if not Limits.pure:
        Session.runtime.evaluate([part.node for part in stored], "needs-host-value: sorted keys")
    return stored


def key_counts(keys: Term, total: int) -> Term:
    """How often each of the keys from 1 to ``total`` occurs, as a column; 0 is left out."""
    return apply_operation("tally", column(keys).cast(DType.I32), attrs=((total, 1),))


def shift_along(x: Term, axis: int, by: int, beyond: float) -> Term:
    """``x(k - by)`` at every k along an axis, ``beyond`` where there is none."""
    extent = x.shape[axis]
    count = min(abs(by), extent)
    if not count:
        return x
    border = constant_array(
        beyond, tuple(count if k == axis else n for k, n in enumerate(x.shape)), x.dtype
    )
    if count == extent:
        return border
    rest = extent - count
    return (
        cat(axis, border, x.part(axis, 0, rest))
        if by > 0
        else cat(axis, x.part(axis, count, rest), border)
    )


def clamp_nan_low(x: Term, low: float, high: float) -> Term:
    """``x`` held within bounds; NaN becomes the lower one."""
    return where(x > low, where(x < high, x, high), low)


def grid_places(shape: tuple[int, ...], axis: int) -> Term:
    """Where the lines along an axis begin, with an extent of 1 along it."""
    kept = tuple(1 if k == axis else n for k, n in enumerate(shape))
    total: Term | None = None
    step = 1
    for k, extent in enumerate(shape):
        if k != axis and extent > 1:
            far = position(tuple(extent if q == k else 1 for q in range(len(shape))), k)
            far = far * float(step)
            total = far if total is None else total + far
        step *= extent
    return constant_array(0.0, kept) if total is None else total


def taken_along(values: Term, axis: int, steps: Term) -> Term:
    """The elements at numbers from 0 along an axis; all other extents are those of ``values``."""
    apart = float(math.prod(values.shape[:axis]))
    return elements_at(values, grid_places(values.shape, axis) + steps * apart)


def repeated(
    passes: int, begun: Sequence[Term], step: Callable[..., tuple[Term, ...]]
) -> list[Term]:
    """What terms are after so many passes of a step, which keeps their classes and sizes."""
    runtime = Session.runtime
    trace = runtime.loop(passes)
    carries = [trace.carry(x.node) for x in begun]
    following = [x.node for x in step(*map(Term, carries))]
    kernels = runtime.passes(trace, carries, following, runtime.poll)
    return [Term(node) for node in kernels.run(0, passes, [x.node for x in begun])]
