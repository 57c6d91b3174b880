"""Functions that move, mask or compare elements, as formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays import histogram_forms, set_forms
from app.engine.capture.terms import Term, cat, horner, is_complex, position, term, terms, where
from app.engine.operators.shape_forms import filled_slices, lazy_term, whole_number
from app.engine.values import (
    DeviceArray,
    Value,
    as_array,
    is_text_scalar,
    numel,
    size_of,
)

Args = tuple[Value, ...]


def _triangle(upper: bool) -> Callable[[Args, int], Any]:
    def form(args: Args, nargout: int) -> Any:
        x, k = lazy_term(args), whole_number(args[1] if len(args) > 1 else 0.0)
        if x is None or k is None or x.rank > 2:
            return NotImplemented
        away = position(x.shape, 1) - position(x.shape, 0)
        mask = away >= float(k) if upper else away <= float(k)
        return x & mask if x.dtype.label == "logical" else where(mask, x, 0.0)

    return form


tril, triu = _triangle(False), _triangle(True)


def kron(args: Args, nargout: int) -> Any:
    """The Kronecker product of two matrices."""
    found = terms(args) if len(args) == 2 else NotImplemented
    if found is NotImplemented or any(t.rank > 2 for t in found):
        return NotImplemented
    (m, n), (p, q) = (t.shape for t in found)
    product = found[0].reshape((1, m, 1, n)) * found[1].reshape((p, 1, q))
    return product.reshape((m * p, n * q))


def cross(args: Args, nargout: int) -> Any:
    """Cross products along a dimension of length three."""
    found = terms(args[:2])
    if found is NotImplemented or found[0].shape != found[1].shape or len(args) > 3:
        return NotImplemented
    a, b = found
    axis = (
        dimension(args[2])
        if len(args) > 2
        else next((k for k, n in enumerate(a.shape) if n == 3), -1)
    )
    if not 0 <= axis < a.rank or a.shape[axis] != 3:
        return NotImplemented
    x, y = ([t.part(axis, k, 1) for k in range(3)] for t in (a, b))
    return cat(axis, *(x[i] * y[j] - x[j] * y[i] for i, j in ((1, 2), (2, 0), (0, 1))))


def _panels(args: Args) -> tuple[Any, Any, int]:
    """The data and the areas of the trapezoids along an axis."""
    refused = NotImplemented, NotImplemented, 0
    found = terms(args[:2])
    if found is NotImplemented or len(args) > 3:
        return refused
    y = found[-1]
    if len(found) == 2 and y.size == 1:
        return refused
    axis = dimension(args[2]) if len(args) > 2 else first_axis(y.shape)
    if axis >= y.rank or y.shape[axis] < 2:
        return refused
    count = y.shape[axis] - 1
    heights = (y.part(axis, 1, count) + y.part(axis, 0, count)) / 2.0
    if len(found) == 1:
        return y, heights, axis
    x = found[0]
    if x.shape != y.shape and x.size == y.shape[axis]:
        x = x.reshape(tuple(x.size if k == axis else 1 for k in range(y.rank)))
    if x.size > 1:
        if axis >= x.rank or x.shape[axis] != y.shape[axis]:
            return refused
        x = x.part(axis, 1, count) - x.part(axis, 0, count)
    return y, heights * x, axis


def trapz(args: Args, nargout: int) -> Any:
    """Integrals by the trapezoidal rule."""
    _, areas, axis = _panels(args)
    return areas if areas is NotImplemented else areas.sum(axis)


def cumtrapz(args: Args, nargout: int) -> Any:
    """Running integrals by the trapezoidal rule."""
    y, areas, axis = _panels(args)
    if areas is NotImplemented:
        return areas
    return cat(axis, filled_slices(y, axis, 1), areas.cumsum(axis))


def trace(args: Args, nargout: int) -> Any:
    """The sum of the diagonal of a square matrix."""
    found = terms(args)
    if found is NotImplemented or len(set(found[0].shape)) > 1 or found[0].rank > 2:
        return NotImplemented
    return found[0].diagonal().sum()


def vander(args: Args, nargout: int) -> Any:
    """Falling powers of a vector."""
    found = terms(args)
    if found is NotImplemented or len(args) > 1 or found[0].size != max(found[0].shape):
        return NotImplemented
    x = found[0].reshape((found[0].size, 1))
    return Term((x ** (float(x.size - 1) - position((1, x.size), 1)).cast(x.dtype)).node, x.guarded)


def gradient(args: Args, nargout: int) -> Any:
    """Numerical slopes with scalar spacings, or of a vector at places of its own."""
    found = terms(args[:1])
    if found is NotImplemented:
        return NotImplemented
    f = found[0]
    if len(args) == 2 and f.rank == 2 and 1 in f.shape and numel(args[1]) == f.size > 2:
        places = terms(args[1:]) if nargout < 2 else NotImplemented
        return places if places is NotImplemented else _slope_at(f, places[0].reshape(f.shape))
    given = [h for h in args[1:] if type(h) is float]
    if len(given) < len(args) - 1:
        return NotImplemented
    axes = [first_axis(f.shape)] if f.rank == 2 and 1 in f.shape else [1, 0, *range(2, f.rank)]
    steps = given if len(given) > 1 else (given or [1.0]) * len(axes)
    wanted = axes[: max(nargout, 1)]
    if len(steps) != len(axes) or any(f.shape[a] < 3 for a in wanted):
        return NotImplemented
    slopes = tuple(_slope(f, a, h) for a, h in zip(wanted, steps, strict=False))
    return slopes if nargout > 1 else slopes[0]


def _slope(f: Term, axis: int, step: float) -> Term:
    n = f.shape[axis]
    first = (f.part(axis, 1, 1) - f.part(axis, 0, 1)) / step
    last = (f.part(axis, n - 1, 1) - f.part(axis, n - 2, 1)) / step
    inner = (f.part(axis, 2, n - 2) - f.part(axis, 0, n - 2)) / (2 * step)
    return cat(axis, first, inner, last)


def _slope_at(f: Term, x: Term) -> Term:
    """The slopes of a vector at places."""
    axis, n = first_axis(f.shape), f.size
    pairs = ((1, 0, 1), (2, 0, n - 2), (n - 1, n - 2, 1))  # later and earlier elements, how many
    rises, runs = (
        [t.part(axis, late, count) - t.part(axis, early, count) for late, early, count in pairs]
        for t in (f, x)
    )
    return cat(axis, *(rise / run for rise, run in zip(rises, runs, strict=True)))


def pagetranspose(args: Args, nargout: int) -> Any:
    """Every page transposed."""
    x = lazy_term(args)
    return NotImplemented if x is None else x.permute(1, 0, *range(2, x.rank))


def _equality_form(nan_equal: bool) -> Callable[[Args, int], Any]:
    def form(args: Args, nargout: int) -> Any:
        found = _of_one_class(args)
        if found is NotImplemented or any(map(is_complex, found)):
            return NotImplemented
        if len({size_of(v) for v in args}) > 1:
            return False
        first = found[0]
        pairs = [
            first.eq(t) | (first.isnan() & t.isnan())
            if nan_equal and not first.dtype.is_integer
            else first.eq(t)
            for t in found[1:]
        ]
        return _all_of_terms([p.all() for p in pairs])

    return form


def _of_one_class(args: Args) -> list[Term]:
    """Arguments as terms of one float class, or of the integer class that all have; NotImplemented
    where there is none."""
    found = [term(v) for v in args]
    alike = all(t is not NotImplemented and t.dtype.is_integer for t in found)
    return found if alike and len({t.dtype for t in found}) == 1 else terms(args)


def _all_of_terms(parts: list[Term]) -> Term:
    found = parts[0]
    for p in parts[1:]:
        found = found & p
    return found


isequal, isequaln = _equality_form(False), _equality_form(True)


def _square(args: Args) -> Any:
    found = terms(args)
    refused = found is NotImplemented or found[0].rank > 2 or is_complex(found[0])
    return NotImplemented if refused or len(args) > 1 else found[0]


def issymmetric(args: Args, nargout: int) -> Any:
    """Whether a matrix is its transpose."""
    x = _square(args)
    if x is NotImplemented or x.shape[0] != x.shape[1]:
        return x if x is NotImplemented else False
    return x.eq(x.permute(1, 0)).all()


def _band_form(lower: float, upper: float) -> Callable[[Args, int], Any]:
    def form(args: Args, nargout: int) -> Any:
        x = _square(args)
        return x if x is NotImplemented else _is_within_band(x, lower, upper)

    return form


def _is_within_band(x: Term, lower: float, upper: float) -> Term:
    """Whether all that is not zero lies within a band."""
    away = position(x.shape, 1) - position(x.shape, 0)
    return (((away <= upper) & (away >= -lower)) | x.eq(0.0)).all()


isdiag, istril, istriu = _band_form(0, 0), _band_form(math.inf, 0), _band_form(0, math.inf)


def isbanded(args: Args, nargout: int) -> Any:
    """Whether all nonzeros lie within a band."""
    x = _square(args[:1])
    if x is NotImplemented or not all((whole_number(v) or -1) >= 0 or v == 0.0 for v in args[1:]):
        return NotImplemented
    low, high = (float(as_array(v).item()) for v in args[1:])
    return _is_within_band(x, low, high)


def ismissing(args: Args, nargout: int) -> Any:
    """NaN; indicators are compared on the host."""
    found = terms(args) if len(args) == 1 else NotImplemented
    return found if found is NotImplemented else found[0].isnan()


def anynan(args: Args, nargout: int) -> Any:
    """NaN anywhere."""
    found = terms(args)
    return found if found is NotImplemented else found[0].isnan().any()


def xor(args: Args, nargout: int) -> Any:
    """Exclusive or of logical arrays."""
    found = [term(v) for v in args]
    if any(t is NotImplemented or t.dtype.label != "logical" for t in found) or len(found) != 2:
        return NotImplemented
    return found[0] ^ found[1]


def merge(args: Args, nargout: int) -> Any:
    """Elements chosen by a mask."""
    mask, found = term(args[0]), terms(args[1:])
    if mask is NotImplemented or found is NotImplemented or mask.dtype.label != "logical":
        return NotImplemented
    if mask.size == 1 or any(t.size != 1 and t.shape != mask.shape for t in found):
        return NotImplemented
    return (
        where(mask, *found) if len({t.dtype for t in map(term, args[1:])}) == 1 else NotImplemented
    )


def polyval(args: Args, nargout: int) -> Any:
    """A polynomial of few coefficients, by Horner's rule."""
    if len(args) != 2 or type(args[0]) is DeviceArray or nargout > 1 or is_text_scalar(args[0]):
        return NotImplemented
    p, found = as_array(args[0]), terms(args[1:])
    if (
        found is NotImplemented
        or p.dtype != float
        or not 0 < p.size <= 64
        or p.size != max(p.shape)
    ):
        return NotImplemented
    return horner(found[0], [float(c) for c in p.ravel()])


def ismember(args: Args, nargout: int) -> Any:
    """Whether elements are in a small set; larger ones, and places, are looked up."""
    small = len(args) == 2 and nargout < 2 and type(args[1]) is not DeviceArray
    if not small or is_text_scalar(args[1]) or numel(args[1]) > 32:
        return set_forms.ismember(args, nargout)
    found = terms(args[:1])
    if found is NotImplemented or terms(args[1:]) is NotImplemented:
        return NotImplemented
    hits = [found[0].eq(float(v)) for v in as_array(args[1]).ravel().tolist()]
    result = hits[0]
    for h in hits[1:]:
        result = result | h
    return result


def discretize(args: Args, nargout: int) -> Any:
    """The bin of each element between a few rising edges; between many they are looked up."""
    if len(args) != 2 or nargout > 1 or is_text_scalar(args[1]) or type(args[1]) is DeviceArray:
        return histogram_forms.discretize(args, nargout)
    edges = as_array(args[1]).ravel()
    found = terms(args[:1])
    if found is NotImplemented or edges.dtype != float or not 2 < edges.size <= 33:
        return histogram_forms.discretize(args, nargout)
    if not (edges[1:] > edges[:-1]).all():
        return NotImplemented
    x = found[0]
    place = (x >= float(edges[0])).number()
    for e in edges[1:-1].tolist():
        place = place + (x >= e).number()
    within = (x >= float(edges[0])) & (x <= float(edges[-1]))
    return where(within, place, math.nan)


def circular(direction: int) -> Callable[[Args, int], Any]:
    """The form of fftshift and ifftshift."""

    def form(args: Args, nargout: int) -> Any:
        x = lazy_term(args)
        if x is None:
            return NotImplemented
        for axis in [dimension(args[1])] if len(args) > 1 else range(x.rank):
            extent = x.shape[axis] if axis < x.rank else 1
            shift = extent // 2 if direction > 0 else extent - extent // 2
            if 0 < shift < extent:
                x = cat(axis, x.part(axis, extent - shift, shift), x.part(axis, 0, extent - shift))
        return x

    return form


fftshift, ifftshift = circular(1), circular(-1)
