"""Sorting and selecting on the device, and what sorted values tell: order, quantiles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import along, dimension, first_axis, inside
from app.engine.builtins.arrays import histogram_forms
from app.engine.builtins.arrays.histogram_edges import edges_by, edges_for, shown_counts
from app.engine.builtins.arrays.set_forms import row_order
from app.engine.capture.capture_session import Session, chosen_shape
from app.engine.capture.lazy_limits import Limits
from app.engine.capture.selections import element_numbers, found_places
from app.engine.capture.term_arrays import (
    apply_operation,
    column,
    holds,
    is_resident,
    resident,
    rows_taken,
    sort_with_places,
    taken_along,
)
from app.engine.capture.terms import (
    Made,
    Term,
    cat,
    clamp,
    constant_array,
    is_complex,
    position,
    term,
    value_where,
    where,
)
from app.engine.values import (
    Value,
    as_array,
    int_of,
    is_char,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)

Args = tuple[Value, ...]
MOST_KEPT = 16
LONGEST_LINE = 1 << 18
"""The first few of a line are picked by one workgroup; longer lines are sorted by all of them."""
MOST_EDGES = 1025
"""Of a histogram that the device counts."""


def _sort_term(op: str, x: Term, axis: int, descending: bool) -> Term:
    node = Session.runtime.apply(op, (x.node,), (axis, descending))
    return Term(node, x.guarded and op == "sort")


def _options(args: Args) -> tuple[Value | None, bool] | None:
    """The dimension and whether the largest comes first; None for what only the host does."""
    dim: Value | None = None
    descending = False
    for arg in args:
        if is_text_scalar(arg):
            word = text_of(arg).lower()
            if word not in ("ascend", "descend"):
                return None
            descending = word == "descend"
        elif numel(arg) == 1 and dim is None:
            dim = arg
        else:
            return None
    return dim, descending


def sort(args: Args, nargout: int) -> Any:
    """``[B, I] = sort(A, dim, direction)`` of real numbers."""
    x, how = term(args[0]), _options(args[1:])
    if x is NotImplemented or how is None or nargout > 2:
        return NotImplemented
    axis = first_axis(x.shape) if how[0] is None else dimension(how[0])
    if axis >= x.rank:
        return NotImplemented
    values = _sort_term("sort", x, axis, how[1])
    if nargout < 2:
        return values
    return values, _sort_term("sort_index", x, axis, how[1])


def _top(args: Args, nargout: int, largest: bool) -> Any:
    """The first k of the sorted values."""
    x = term(args[0])
    if x is NotImplemented or len(args) > 3 or (len(args) == 3 and is_char(args[2])):
        return NotImplemented
    axis = dimension(args[2]) if len(args) == 3 else first_axis(x.shape)
    if axis >= x.rank or numel(args[1]) != 1:
        return NotImplemented
    count = min(int_of(args[1]), x.shape[axis])
    if count < 1:
        return NotImplemented
    if count <= MOST_KEPT and x.shape[axis] <= LONGEST_LINE:
        ops = ("top", "top_index")[: max(1, nargout)]
        attrs = (axis, largest, count)
        nodes = [Session.runtime.apply(op, (x.node,), attrs) for op in ops]
        found = tuple(Term(n, x.guarded and n.op == "top") for n in nodes)
    else:
        ops = ("sort", "sort_index")[: max(1, nargout)]
        found = tuple(_sort_term(op, x, axis, largest).part(axis, 0, count) for op in ops)
    return found if nargout > 1 else found[0]


def maxk(args: Args, nargout: int) -> Any:
    """``[B, I] = maxk(A, k, dim)``."""
    return _top(args, nargout, True)


def mink(args: Args, nargout: int) -> Any:
    """``[B, I] = mink(A, k, dim)``."""
    return _top(args, nargout, False)


def sortrows(args: Args, nargout: int) -> Made:
    """``[B, I] = sortrows(A, columns, direction)``: sorted by one column after the other."""
    return _rows_in_order(args[0], args[1:], "ascend", nargout)


def topkrows(args: Args, nargout: int) -> Made:
    """``[B, I] = topkrows(A, k, columns, direction)``: the first of the sorted rows."""
    most = args[1]
    if type(most) is not float or most % 1 or most < 1:
        return None
    return _rows_in_order(args[0], args[2:], "descend", nargout, int(most))


def _rows_in_order(a: Value, how: Args, usual: str, nargout: int, most: int | None = None) -> Made:
    """Sorted rows, or the first of them, and where they were."""
    found = resident(a)
    if found is None or found[0].rank > 2 or len(how) > 2 or nargout > 2:
        return None
    x, rest = found[0], list(how)
    numbers = list(range(1, x.shape[1] + 1))
    if rest and not is_text_scalar(rest[0]):
        numbers = [int(v) if v % 1 == 0 else 0 for v in as_array(rest.pop(0)).ravel().tolist()]
    word = text_of(rest.pop(0)).lower() if rest and is_text_scalar(rest[0]) else usual
    known = all(1 <= abs(k) <= x.shape[1] for k in numbers) and word in ("ascend", "descend")
    if rest or not numbers or not known:
        return None
    order = row_order(x, [(abs(k) - 1, k < 0 or word == "descend") for k in numbers])
    if most is not None and most < x.shape[0]:
        order = order.part(0, 0, most)
    lined = rows_taken(x, order - 1.0)
    return (lined, order) if nargout > 1 else lined


def issorted(args: Args, nargout: int) -> bool | None:
    """Whether a resident vector is in order, upwards or downwards; NaN is the largest."""
    found = resident(args[0]) if len(args) < 3 and nargout < 2 else None
    if found is None or max(found[0].shape) < found[0].size or found[0].size < 2:
        return None
    word = "ascend"
    if len(args) > 1:
        word = text_of(args[1]).lower() if is_text_scalar(args[1]) else ""
    if word not in ("ascend", "descend"):
        return None
    x = found[0].reshape((found[0].size, 1))
    count = x.size - 1
    low, high = x.part(0, 0, count), x.part(0, 1, count)
    low, high = (low, high) if word == "ascend" else (high, low)
    wrong = (low > high) | (low.isnan() & ~high.isnan()) if x.dtype.is_float else low > high
    return not holds(wrong.any(), "is it sorted?")


def mode(args: Args, nargout: int) -> Made:
    """``[M, F] = mode(A, dim)``: the longest run of the sorted elements, the first of several."""
    found = resident(args[0]) if len(args) < 3 and nargout < 3 else None
    if found is None or found[0].dtype is DType.BOOL:
        return None
    x = found[0]
    how = along(x.shape, args[1:], None)
    axes = inside(how.axes, x.rank)
    if how.words or how.omit_nan or how.out_type != "default" or len(axes) not in (1, x.rank):
        return None
    if len(axes) > 1:
        x, axes = x.reshape((x.size, 1)), (0,)
    axis = axes[0]
    lined, count = sort_with_places(x, axis)[0], x.shape[axis]
    first = constant_array(
        True, tuple(1 if k == axis else n for k, n in enumerate(x.shape)), DType.BOOL
    )
    changes = lined.part(axis, 1, count - 1).ne(lined.part(axis, 0, count - 1))
    starts = cat(axis, first, changes) if count > 1 else first
    place = position(x.shape, axis)
    runs = place - where(starts, place, 0.0).cummax(axis) + 1.0
    runs = where(lined.ne(lined), 0.0, runs)
    at = apply_operation("argmax", runs, attrs=(axis,)) - 1.0
    most = taken_along(lined, axis, at)
    if x.dtype.is_float:  # of 0 and -0, which are one value, 0, as on the host
        most = most + 0.0
    return (most, runs.amax(axis)) if nargout > 1 else most


def _line(args: Args) -> tuple[Any, int]:
    """Data of a float class and the one axis to walk: all axes at once become a column."""
    x = term(args[0])
    if x is NotImplemented or x.dtype.is_integer:
        return NotImplemented, 0
    how = along(x.shape, args[1:], None)
    axes = inside(how.axes, x.rank)
    if how.words or how.omit_nan or how.out_type != "default":
        return NotImplemented, 0
    if len(axes) == x.rank > 1:
        return x.floating().reshape((x.size, 1)), 0
    return (x.floating(), axes[0]) if len(axes) == 1 else (NotImplemented, 0)


def _quantiles(x: Term, axis: int, shares: np.ndarray[Any, Any]) -> list[Term]:
    """Quantiles at the midpoints ``(k - 0.5)/n`` of the sorted numbers, NaN left out."""
    values = _sort_term("sort", x, axis, False)
    count = (~x.isnan()).nnz(axis)
    last = clamp(count - 1, 0.0, math.inf)
    inner = math.prod(x.shape[:axis])
    first = _firsts(x, axis)
    found = []
    for share in shares.tolist():
        at = clamp(count * share - 0.5, 0.0, last)
        low = at.floor()
        here, there = (
            _elements_at(values, first + place * inner)
            for place in (low, clamp(low + 1, 0.0, last))
        )
        value = here + (there - here) * (at - low).cast(x.dtype)
        exact = here.eq(there) | at.eq(low)
        found.append(value_where(count > 0, where(exact, here, value)))
    return found


def _firsts(x: Term, axis: int) -> Term:
    """Where the lines along an axis begin, as 0-based places."""
    kept = tuple(1 if k == axis else n for k, n in enumerate(x.shape))
    total: Term | float = 0.0
    step = 1
    for k, extent in enumerate(x.shape):
        if k != axis and extent > 1:
            total = position(kept, k) * step + total
        step *= extent
    return total if isinstance(total, Term) else position(kept, axis)


def _elements_at(values: Term, places: Term) -> Term:
    """The elements at 0-based places."""
    index = places.cast(DType.I64)
    node = Session.runtime.apply("gather", (values.node, index.node), (index.shape,))
    return Term(node, values.guarded)


def _quantile(args: Args, nargout: int, scale: float) -> Any:
    x = term(args[0])
    whole = len(args) == 3 and is_text_scalar(args[2]) and text_of(args[2]) == "all"
    usual = len(args) in (2, 3) and (whole or not any(is_text_scalar(a) for a in args))
    usual = usual and as_array(args[1]).dtype.kind == "f"
    usual = usual and max(size_of(args[1])) == numel(args[1])
    usual = usual and (len(args) < 3 or whole or numel(args[2]) == 1)
    if x is NotImplemented or nargout > 1 or not usual or x.dtype.is_integer:
        return NotImplemented
    shares = as_array(args[1]).astype(np.float64).ravel(order="F")
    shape = size_of(args[1])
    if scale == 1.0 and shares.size == 1 and shares[0] > 1:  # so many that divide it evenly
        if shares[0] % 1:
            return NotImplemented
        shares = np.arange(1, shares[0] + 1) / (shares[0] + 1)
        shape = (1, shares.size)
    x = column(x) if whole else x
    axis = dimension(args[2]) if len(args) == 3 and not whole else first_axis(x.shape)
    if axis >= x.rank or not 0 < shares.size <= 16:
        return NotImplemented
    found = _quantiles(x.floating(), axis, shares / scale)
    if whole or (len(args) == 2 and x.rank == 2 and 1 in x.shape and len(found) > 1):
        return cat(axis, *found).reshape(shape)  # of a vector: in the shape of p
    return found[0] if len(found) == 1 else cat(axis, *found)


def quantile(args: Args, nargout: int) -> Any:
    """``quantile(A, p, dim)`` of at most 16 shares."""
    return _quantile(args, nargout, 1.0)


def prctile(args: Args, nargout: int) -> Any:
    """``prctile(A, p, dim)`` of at most 16 percentages."""
    return _quantile(args, nargout, 100.0)


def iqr(args: Args, nargout: int) -> Any:
    """Third quartile minus first."""
    x, axis = _line(args)
    if x is NotImplemented or nargout > 1:
        return NotImplemented
    low, high = _quantiles(x, axis, np.array([0.25, 0.75]))
    return high - low


def _nonzero(x: Term) -> Term:
    return x if x.dtype is DType.BOOL else x.ne(0.0)


def find(args: Args, nargout: int) -> Any:
    """``find(A)`` and ``find(A, n, direction)``: one output, or rows, columns and values."""
    x = term(args[0])
    if x is NotImplemented or len(args) > 3 or nargout > 3 or x.size == 1:
        return NotImplemented
    mask = _nonzero(x)
    if nargout < 2 and not x.guarded:
        if len(args) == 1:
            return found_places(mask.node)
        if args[1] == 1.0 and not Limits.pure:
            return _one_place(mask, last=len(args) > 2 and text_of(args[2]) != "first")
    shape = chosen_shape(mask.node, x.shape)
    if shape is None:
        return NotImplemented
    places = Term(Session.runtime.apply("compact_index", (mask.node,), (shape,)))
    axis = 1 if shape[0] == 1 else 0
    count = places.size
    if len(args) > 1:
        count = min(count, int_of(args[1]))
        start = 0 if len(args) < 3 or text_of(args[2]) == "first" else places.size - count
        if count < 1:
            return NotImplemented
        places = places.part(axis, start, count)
    if nargout < 2:
        return places
    height = float(x.shape[0])
    across = ((places - 1) / height).floor()
    found = (places - across * height, across + 1)
    return found if nargout == 2 else (*found, _elements_at(x, places - 1))


def _one_place(mask: Term, last: bool) -> Value:
    """The first place that a mask selects, or the last one; nothing where it selects none."""
    numbers = Term(element_numbers(mask.shape))
    chosen = where(mask, numbers, -math.inf if last else math.inf)
    found = chosen.amax() if last else chosen.amin()
    place = Session.runtime.gather(found.node, "needs-host-value: which one is it?").item()
    is_row = mask.rank == 2 and mask.shape[0] == 1
    return float(place) if math.isfinite(place) else np.zeros((1, 0) if is_row else (0, 1))


def nonzeros(args: Args, nargout: int) -> Any:
    """``nonzeros(A)``."""
    x = term(args[0])
    if x is NotImplemented or nargout > 1:
        return NotImplemented
    mask = _nonzero(x)
    shape = chosen_shape(mask.node, (x.size, 1))
    if shape is None:
        return NotImplemented
    node = Session.runtime.apply("compact", (x.node, mask.node), (shape,))
    return Term(node, x.guarded)


_OPTIONS = frozenset(("normalization", "numbins", "binwidth", "binlimits"))
"""Options of histcounts that need no more than a summary of the numbers."""


def histcounts(args: Args, nargout: int) -> Any:
    """``[N, edges, bin] = histcounts(X, bins)`` with a normalization; the counts are fetched."""
    x, rest = term(args[0]), args[1:]
    bins = rest[0] if rest and not is_text_scalar(rest[0]) else None
    words = rest[bins is not None :]
    if x is NotImplemented or nargout > 3 or len(words) % 2 or is_complex(x):
        return NotImplemented
    if nargout > 2 and not is_resident(args[0]):
        return NotImplemented
    options = {text_of(k).lower(): v for k, v in zip(words[::2], words[1::2], strict=True)}
    if not _OPTIONS.issuperset(options) or (
        "binlimits" in options and bins is None and not {"numbins", "binwidth"} & set(options)
    ):
        return NotImplemented
    x = x.floating()
    if bins is not None and numel(bins) > 1:
        edges = edges_for("histcounts", np.zeros(0), bins, {})
    else:
        edges = edges_by("histcounts", histogram_forms.summary_of(x), bins, options)
    if not 1 < edges.size <= MOST_EDGES:
        return NotImplemented
    runtime = Session.runtime
    leaf = runtime.leaf(edges.reshape(1, -1))
    counts = runtime.apply("histogram", (x.node, leaf), ((1, edges.size - 1),))
    if nargout < 2 and "normalization" not in options:
        return Term(counts)
    found = runtime.gather(counts, "needs-host-value: counts of bins")
    shown = shown_counts(found.ravel(), edges, x.size, options)
    if nargout < 3:
        return shown
    return (
        *shown,
        histogram_forms.bin_places(
            x.cast(DType.F64), histogram_forms.edge_line(edges), closed=True
        ),
    )
