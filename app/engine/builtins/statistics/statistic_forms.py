"""Statistics along dimensions as formulas: moments, scales, norms and correlations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from app.engine.arguments.dimensions import SCANS, along, inside
from app.engine.builtins.statistics.median_forms import median_along
from app.engine.capture.term_arrays import holds, is_resident, shift_along
from app.engine.capture.terms import (
    Made,
    Term,
    cat,
    clamp,
    constant_array,
    is_complex,
    position,
    term,
    terms,
    value_where,
    where,
)
from app.engine.values import Value, as_array, is_real_scalar, is_text_scalar, numel

Args = tuple[Value, ...]
_REFUSED = (NotImplemented, ())


def vectors(args: Args, at: int = 1) -> tuple[Any, tuple[int, ...]]:
    """The data of one float class and the axes to reduce; NotImplemented for what needs care."""
    found = terms(args[:1])
    if found is NotImplemented:
        return _REFUSED
    how = along(found[0].shape, args[at:], None)
    axes = inside(how.axes, found[0].rank)
    if not axes or how.words or how.omit_nan or how.out_type != "default":
        return _REFUSED
    return found[0], axes


def over(
    build: Callable[..., Term | tuple[Term, ...]], outputs: int = 1
) -> Callable[[Args, int], Any]:
    """The form of ``f(X, dim)`` from a formula of the data and its axes."""

    def form(args: Args, nargout: int) -> Any:
        x, axes = vectors(args)
        return x if x is NotImplemented or nargout > outputs else build(x, axes)

    return form


def _single_output_form(form: Callable[[Args, int], Any]) -> Callable[[Args, int], Any]:
    """The form, refused when more than one output is asked for."""
    return lambda args, nargout: form(args, nargout) if nargout < 2 else NotImplemented


def _count(x: Term, axes: tuple[int, ...]) -> int:
    return math.prod(x.shape[a] for a in axes)


def _central(x: Term, axes: tuple[int, ...]) -> Term:
    return x - x.mean(*axes)


def _power(x: Term, order: int) -> Term:
    found = x
    for _ in range(order - 1):
        found = found * x
    return found


def _square_mean(x: Term, axes: tuple[int, ...]) -> Term:
    size = abs(x)
    return (size * size).mean(*axes)


def _deviation_of(x: Term, axes: tuple[int, ...], population: bool = False) -> Term:
    """The standard deviation."""
    away, count = _central(x, axes), _count(x, axes)
    return (
        (away * away).sum(*axes) / float(count if population or count == 1 else count - 1)
    ).root()


def weighted_spread(name: str, args: Args, nargout: int) -> Made:
    """``var`` and ``std`` of floats along a dimension, with a weight for each element of a line."""
    found = terms(args[:2], logical=False)
    if found is NotImplemented or nargout > 1 or is_text_scalar(args[-1]):
        return None
    x, weights = found
    if is_complex(x) or is_complex(weights):
        return None
    if len({term(v).dtype for v in args[:2]}) > 1 or weights.size != max(weights.shape):
        return None
    how = along(x.shape, args[2:], None)
    axis = how.axes[0]
    if len(how.axes) > 1 or how.words or how.omit_nan or axis >= x.rank or not is_resident(args[1]):
        return None
    if weights.size != x.shape[axis] or holds((weights < 0.0).any(), "are weights negative?"):
        return None
    lined = weights.reshape(tuple(weights.size if k == axis else 1 for k in range(x.rank)))
    shares = lined / lined.sum()
    away = x - (shares * x).sum(axis)
    spread: Term = (shares * (away * away)).sum(axis)
    return spread.root() if name == "std" else spread


range_ = over(lambda x, axes: x.amax(*axes) - x.amin(*axes))
sumsq = over(lambda x, axes: (x * x).sum(*axes))
meansq = over(_square_mean)
rms = over(lambda x, axes: _square_mean(x, axes).root())
harmmean = over(lambda x, axes: 1 / (1 / x).mean(*axes))
rssq = over(lambda x, axes: (abs(x) * abs(x)).sum(*axes).root())
peak2peak = range_
peak2rms = over(lambda x, axes: abs(x).amax(*axes) / _square_mean(x, axes).root())
center = over(_central)


def bounds(args: Args, nargout: int) -> Any:
    """Smallest and largest elements."""
    data, (x, axes) = term(args[0]), vectors(args)
    if x is NotImplemented or data.dtype.label == "logical":
        return NotImplemented
    return (x.amin(*axes), x.amax(*axes)) if nargout > 1 else x.amin(*axes)


def _standardised_moment(args: Args, order: int) -> Any:
    """A standardised moment, not corrected for bias."""
    biased = len(args) < 2 or (is_real_scalar(args[1]) and args[1] != 0.0)
    x, axes = vectors(args, 2) if biased else _REFUSED
    if x is NotImplemented:
        return x
    away = _central(x, axes)
    square = (away * away).mean(*axes)
    scale = square * square if order == 4 else square * square.root()
    return _power(away, order).mean(*axes) / scale


skewness = _single_output_form(lambda args, nargout: _standardised_moment(args, 3))
kurtosis = _single_output_form(lambda args, nargout: _standardised_moment(args, 4))


def moment(args: Args, nargout: int) -> Any:
    """The central moment of a small whole order."""
    order = args[1]
    x, axes = vectors(args, 2)
    if x is NotImplemented or type(order) is not float or order not in range(1, 9):
        return NotImplemented
    return _power(_central(x, axes), int(order)).mean(*axes)


def mad(args: Args, nargout: int) -> Any:
    """The mean absolute deviation, or that of the medians."""
    flag = args[1] if len(args) > 1 and numel(args[1]) else 0.0
    x, axes = vectors(args, 2)
    if x is NotImplemented or not is_real_scalar(flag) or flag not in (0.0, 1.0):
        return NotImplemented
    if flag == 0.0:
        return abs(_central(x, axes)).mean(*axes)
    if len(axes) > 1 or not is_resident(args[0]):
        return NotImplemented
    return median_along(abs(x - median_along(x, axes[0])), axes[0])


def zscore(args: Args, nargout: int) -> Any:
    """Centred and scaled columns, with their means and deviations."""
    flag = args[1] if len(args) > 1 and numel(args[1]) else 0.0
    if not is_real_scalar(flag) or flag not in (0.0, 1.0):
        return NotImplemented
    x, axes = vectors(args, 2)
    if x is NotImplemented:
        return x
    spread = _deviation_of(x, axes, flag == 1.0)
    found = _central(x, axes) / where(spread.eq(0.0), 1.0, spread)
    return (found, x.mean(*axes), spread)[: max(nargout, 1)]


def _present(x: Term, axes: tuple[int, ...]) -> tuple[Term, Term, Term]:
    """Zero in place of NaN, which elements are numbers, and their means."""
    there = ~x.isnan()
    count = there.cast(x.dtype).sum(*axes)
    return where(there, x, 0.0), count, where(there, x, 0.0).sum(*axes) / count


def _nan_variance(x: Term, axes: tuple[int, ...]) -> Term:
    _, count, mean = _present(x, axes)
    away = where(x.isnan(), 0.0, x - mean)
    return (away * away).sum(*axes) / where(count > 1.0, count - 1.0, count)


def _nan_spread(x: Term, axes: tuple[int, ...]) -> Term:
    return _nan_variance(x, axes).root()


def normalize(args: Args, nargout: int) -> Any:
    """``zscore``, ``range``, ``center``, ``scale`` and the 2-norm, NaN left out."""
    dims = args[1:2] if len(args) > 1 and not is_text_scalar(args[1]) else ()
    words = args[1 + len(dims) :]
    x, axes = vectors((args[0], *dims))
    if x is NotImplemented or len(words) > 1 or nargout > 1:
        return NotImplemented
    method = words[0] if words else "zscore"
    if method == "zscore":
        return (x - _present(x, axes)[2]) / _nan_spread(x, axes)
    if method == "center":
        return x - _present(x, axes)[2]
    if method == "scale":
        return x / _nan_spread(x, axes)
    if method == "range":
        low, high = x.amin(*axes), x.amax(*axes)
        return (x - low) / (high - low)
    return NotImplemented


def rescale(args: Args, nargout: int) -> Any:
    """All elements into an interval of two scalars."""
    ends = [v for v in args[1:] if type(v) is float]
    if len(args) not in (1, 3) or len(ends) < len(args) - 1:
        return NotImplemented
    found = terms(args[:1])
    low, high = ends or (0.0, 1.0)
    if found is NotImplemented or low > high:
        return NotImplemented
    x = found[0]
    least, most = x.amin(), x.amax()
    width = where(least.eq(most), 1.0, most - least)
    return (x - least) / width * (high - low) + low


def nan_skipping_form(plain: str) -> Callable[[Args, int], Any]:
    """The form of ``nanX(A, dim)``."""

    def form(args: Args, nargout: int) -> Any:
        x, axes = vectors(args[:1]) if len(args) < 2 or plain not in _DIM_SECOND else vectors(args)
        if x is NotImplemented or nargout > 1 or (len(args) > 1 and plain not in _DIM_SECOND):
            return NotImplemented
        return _SKIPPING[plain](x, axes)

    return form


_DIM_SECOND = ("mean", "sum")
_SKIPPING: dict[str, Callable[[Term, tuple[int, ...]], Term]] = {
    "max": lambda x, axes: x.amax(*axes),
    "min": lambda x, axes: x.amin(*axes),
    "sum": lambda x, axes: where(x.isnan(), 0.0, x).sum(*axes),
    "mean": lambda x, axes: _present(x, axes)[2],
    "std": _nan_spread,
    "var": _nan_variance,
}


def _scan(op: str) -> Callable[[Args, int], Any]:
    def form(args: Args, nargout: int) -> Any:
        found = terms(args[:1])
        if found is NotImplemented or nargout > 2:
            return NotImplemented
        x = found[0]
        how = along(x.shape, args[1:], SCANS)
        axis = how.axes[0]
        if axis >= x.rank or how.omit_nan or len(how.axes) > 1:
            return NotImplemented
        backwards = "reverse" in how.words
        extremes = getattr(x, op)(axis, backwards)
        return (
            extremes if nargout < 2 else (extremes, _places_of_extremes(extremes, axis, backwards))
        )

    return form


def _places_of_extremes(extremes: Term, axis: int, backwards: bool) -> Term:
    """Where running extremes were first reached, from 1."""
    count = extremes.shape[axis]
    here = position(extremes.shape, axis) + 1.0
    start = float(count) if backwards else 1.0
    if count == 1:
        return constant_array(1.0, extremes.shape)
    before = shift_along(extremes, axis, -1 if backwards else 1, math.nan)
    fresh = extremes.ne(before) & ~extremes.isnan()
    places = where(fresh | here.eq(start), here, start)
    # Before the first number there is no place but the first.
    return places.cummin(axis, True) if backwards else places.cummax(axis)


cummax, cummin = _scan("cummax"), _scan("cummin")


def _column_correlations(x: Term, y: Term) -> Term:
    """Correlations of the columns of two matrices."""
    a, b = _central(x, (0,)), _central(y, (0,))
    sizes = (a * a).sum(0).root().permute(1, 0) * (b * b).sum(0).root()
    return a.matmul(b, True, False) / sizes


def _is_matrix(x: Term) -> bool:
    return x.rank == 2 and 1 not in x.shape


def corr(args: Args, nargout: int) -> Any:
    """Correlations of the columns of one or two matrices."""
    found = terms(args) if len(args) < 3 else NotImplemented
    if found is NotImplemented or nargout > 1 or not all(_is_matrix(t) for t in found):
        return NotImplemented
    if found[0].shape[0] != found[-1].shape[0]:
        return NotImplemented
    return clamp(_column_correlations(found[0], found[-1]), -1.0, 1.0)


def corrcoef(args: Args, nargout: int) -> Any:
    """Correlation coefficients of the columns of a matrix, or of two arrays."""
    found = terms(args) if len(args) < 3 else NotImplemented
    if found is NotImplemented or nargout > 1:
        return NotImplemented
    if len(found) == 2 and found[0].size == found[1].size:
        x = cat(1, *(t.reshape((t.size, 1)) for t in found))
    elif len(found) == 1 and _is_matrix(found[0]):
        x = found[0]
    else:
        return NotImplemented
    return clamp(_with_ones(_column_correlations(x, x)), -1.0, 1.0)


def _with_ones(r: Term) -> Term:
    """Exact ones on the diagonal, unless it is NaN."""
    diagonal = position(r.shape, 0).eq(position(r.shape, 1))
    return where(diagonal & ~r.isnan(), 1.0, r)


def geomean(args: Args, nargout: int) -> Any:
    """The geometric mean; NaN where the host would warn of negative numbers."""
    x, axes = vectors(args)
    return x if x is NotImplemented else x.log().mean(*axes).exp()


MOST_MARKS = 32


def standardize_missing(args: Args, nargout: int) -> Any:
    """NaN in place of a few given values."""
    found = terms(args[:1])
    marks = as_array(args[1]).ravel() if not is_text_scalar(args[1]) else None
    if found is NotImplemented or marks is None or not 0 < marks.size <= MOST_MARKS:
        return NotImplemented
    x = found[0]
    for mark in marks.tolist():
        x = value_where(x.ne(float(mark)), x)
    return x
