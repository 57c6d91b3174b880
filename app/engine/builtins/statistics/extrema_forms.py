"""Local extrema of resident numbers: runs of equal elements between lower ones."""

from __future__ import annotations

from collections.abc import Callable

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.capture.term_arrays import (
    column,
    holds,
    resident,
    select_by_mask,
    taken_along,
)
from app.engine.capture.terms import Made, Term, cat, clamp, constant_array, position, where
from app.engine.values import Value, is_text_scalar, numel, text_of

Args = tuple[Value, ...]


def _maxima(x: Term, axis: int) -> tuple[Term, Term, Term]:
    """Where elements are of a run between lower ones, and where their runs begin and end."""
    count, place = x.shape[axis], position(x.shape, axis)
    edge = constant_array(
        True, tuple(1 if k == axis else n for k, n in enumerate(x.shape)), DType.BOOL
    )
    changes = x.part(axis, 1, count - 1).ne(x.part(axis, 0, count - 1))
    begins = where(cat(axis, edge, changes), place, 0.0).cummax(axis)
    last = float(count - 1)
    ends = where(cat(axis, changes, edge), place, last).cummin(axis, True)
    before, after = (clamp(k, 0.0, last) for k in (begins - 1.0, ends + 1.0))
    higher = (taken_along(x, axis, before) < x) & (taken_along(x, axis, after) < x)
    return higher & (begins > 0.0) & (ends < last), begins, ends


_CHOSEN: dict[str, Callable[[Term, Term], Term]] = {
    "center": lambda begins, ends: ((begins + ends) / 2.0).floor(),
    "first": lambda begins, ends: begins,
    "last": lambda begins, ends: ends,
}


def local_extrema(sign: float) -> Callable[[Args, int], Made]:
    """The form of ``islocalmax(A, dim, 'FlatSelection', which)``, or of minima."""

    def form(args: Args, nargout: int) -> Made:
        found, rest = resident(args[0]), list(args[1:])
        if found is None or nargout > 1:
            return None
        x = found[0].floating().cast(DType.F64)
        axis = first_axis(x.shape)
        if rest and not is_text_scalar(rest[0]):
            axis = dimension(rest.pop(0))
        which = "center"
        if rest:
            words = [text_of(v).lower() for v in rest if is_text_scalar(v)]
            if len(words) < len(rest) or len(words) != 2 or words[0] != "flatselection":
                return None
            which = words[1]
        if axis >= x.rank or x.shape[axis] < 3 or which not in (*_CHOSEN, "all"):
            return None
        if holds(x.isnan().any(), "is there a NaN?"):
            return None
        peaks, begins, ends = _maxima(x * sign, axis)
        if which == "all":
            return peaks
        return peaks & position(x.shape, axis).eq(_CHOSEN[which](begins, ends))

    return form


def findpeaks(args: Args, nargout: int) -> Made:
    """``[pks, locs] = findpeaks(y, 'MinPeakHeight', h)`` of a vector: where tops begin."""
    found = resident(args[0]) if 0 < nargout < 3 and len(args) in (1, 3) else None
    if found is None or found[0].size != max(found[0].shape) or found[0].size < 3:
        return None
    x = column(found[0])
    if x.dtype is not DType.F64:
        return None
    peaks, begins, _ = _maxima(x, 0)
    places = position(x.shape, 0)
    wanted = peaks & places.eq(begins)
    if len(args) == 3:
        name, least = args[1:]
        is_height = is_text_scalar(name) and text_of(name).lower() == "minpeakheight"
        if not is_height or type(least) is not float or numel(least) != 1:
            return None
        wanted = wanted & (x >= least)
    row = found[0].shape[1] != 1
    kept = select_by_mask(wanted, x, places + 1.0, row=row)
    return None if kept is None else (tuple(kept) if nargout > 1 else kept[0])
