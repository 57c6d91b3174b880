"""What follows from the counts of a resident image's grey levels: only they are fetched."""

from __future__ import annotations

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.builtins.images.grey_levels import equalizing, otsu, stretch_limits
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import elements_at, fetch_terms, holds, key_counts, resident
from app.engine.capture.terms import Made, Term, clamp, where
from app.engine.values import Array, Value, as_array

Args = tuple[Value, ...]
LEVELS = 256
MOST_LEVELS = 65536
F64 = DType.F64
_KINDS = frozenset(("double", "single", "uint8", "uint16"))


def _grey(v: Value) -> tuple[Term, Term] | None:
    """A resident image, and its pixels in 0 … 1 as doubles."""
    found = resident(v)
    if found is None or found[0].dtype.label not in _KINDS:
        return None
    x = found[0]
    return x, x.cast(F64) if x.dtype.is_float else x.cast(F64) / _largest_level(x.dtype)


def _largest_level(dtype: DType) -> float:
    return float(np.iinfo(dtype.numpy.str).max)


def _places(grey: Term, bins: int) -> Term:
    """The level of each pixel from 0."""
    return clamp((grey * float(bins - 1) + 0.5).floor(), 0.0, float(bins - 1))


def _counts(grey: Term) -> Array | None:
    """How many pixels have each level; None where one has none, being NaN."""
    keys = where(grey.isnan(), 0.0, _places(grey, LEVELS) + 1.0)
    counts = fetch_terms(key_counts(keys, LEVELS), cause="needs-host-value: counts of grey levels")
    found = counts[0].astype(np.float64).ravel()
    return found if found.sum() == grey.size else None


def _level_counts(v: Value) -> tuple[Term, Term, Array] | None:
    """A resident image, its pixels in 0 … 1, and how many have each level."""
    found = _grey(v)
    counts = None if found is None else _counts(found[1])
    return None if found is None or counts is None else (*found, counts)


def imhist(args: Args, nargout: int) -> Made:
    """``[counts, locations] = imhist(I, n)``."""
    bins = args[1] if len(args) > 1 else float(LEVELS)
    if type(bins) is not float or not 1 < bins <= MOST_LEVELS or bins % 1:
        return None
    found = _grey(args[0])
    if found is None:
        return None
    x, grey = found
    counts = key_counts(_places(grey, int(bins)) + 1.0, int(bins))
    if x.dtype.is_float and holds(x.isnan().any(), "has every pixel a level?"):
        return None
    top = 1.0 if x.dtype.is_float else _largest_level(x.dtype)
    lined = np.linspace(0, top, int(bins)).reshape(-1, 1)
    return (counts, Term(Session.runtime.leaf(lined))) if nargout > 1 else counts


def graythresh(args: Args, nargout: int) -> Made:
    """``[T, EM] = graythresh(I)``."""
    found = _level_counts(args[0]) if len(args) == 1 else None
    if found is None:
        return None
    level, separates = otsu(found[2])
    return (level, separates) if nargout > 1 else level


def separated(args: Args, nargout: int) -> Made:
    """``imbinarize(I)``."""
    found = _level_counts(args[0])
    return None if found is None else found[1] > otsu(found[2])[0]


def stretched(args: Args, nargout: int) -> Made:
    """``imadjust(I)``: all but a hundredth of the pixels between black and white."""
    found = _level_counts(args[0]) if nargout < 2 else None
    if found is None:
        return None
    low, high = stretch_limits(found[2], None)
    return _in_class(clamp((found[1] - low) / (high - low), 0.0, 1.0), found[0].dtype)


def histeq(args: Args, nargout: int) -> Made:
    """``[J, T] = histeq(I, n)``."""
    wanted = as_array(args[1]) if len(args) > 1 else np.array([64.0])
    found = _level_counts(args[0]) if wanted.dtype.kind == "f" and wanted.size else None
    if found is None:
        return None
    x, grey, counts = found
    goal = np.ones(int(wanted.flat[0])) if wanted.size == 1 else wanted.ravel()
    table = equalizing(counts, goal * x.size / goal.sum()).reshape(-1, 1)
    line = Term(Session.runtime.leaf(np.asfortranarray(table)))
    made = _in_class(elements_at(line, _places(grey, LEVELS)), x.dtype)
    return (made, line.reshape((1, LEVELS))) if nargout > 1 else made


def _in_class(grey: Term, dtype: DType) -> Term:
    """Pixels in 0 … 1 in the class of an image."""
    return grey.cast(dtype) if dtype.is_float else (grey * _largest_level(dtype)).cast(dtype)
