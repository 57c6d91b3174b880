"""Digital filters: running them, designing them, their responses."""

from __future__ import annotations

import numpy as np

from app.accel.numerics.scipy_extensions import extension
from app.engine import stoppable
from app.engine.arguments.checks import (
    NONNEGATIVE,
    NUMBERS,
    NUMERIC,
    SCALAR,
    WHOLE,
    takes,
    unless_text,
)
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.signals import signal_forms
from app.engine.builtins.vectors import is_given, real_float, vector, whole
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical
from app.errors import MatlabError

_FAMILY = "signal processing"


def linear_filter(b: Array, a: Array, x: Array, axis: int, start: Array) -> tuple[Array, Array]:
    """`x` filtered along an axis, and the states at the end, as ``scipy.signal.lfilter`` does it.

    Args:
        b: coefficients of the numerator.
        a: those of the denominator; the first one is not zero.
        x: what is filtered.
        axis: along this dimension.
        start: the states; one less than coefficients along the axis.
    """
    if a.size > 1:
        result, final = extension("scipy.signal._sigtools")._linear_filter(b, a, x, axis, start)  # noqa: SLF001 - the routine behind SciPy's slow checks
        return np.asarray(result), np.asarray(final)
    kind = np.result_type(a, b, x, start)
    taps = b.astype(kind) / a.astype(kind)[0]
    whole = np.moveaxis(
        np.apply_along_axis(lambda line: np.convolve(taps, line), axis, x.astype(kind)), axis, 0
    )
    whole[: start.shape[axis]] += np.moveaxis(start, axis, 0)
    result, final = np.split(whole, [x.shape[axis]])
    return np.moveaxis(result, 0, axis), np.moveaxis(final, 0, axis)


@builtin(
    "filter",
    words="",
    category=_FAMILY,
    signatures=(
        "y = filter(b, a, x)",
        "[y, zf] = filter(b, a, x, zi)",
        "[y, zf] = filter(b, a, x, zi, dim)",
    ),
    device=term_form(signal_forms.filter_),
    cases=(
        "isequal(filter(1, [1 -0.5], [1 0 0]), [1 0.5 0.25])",
        "isequal(filter([1 1]/2, 1, [2 4 6]), [1 3 5])",
    ),
    see=("filtfilt", "conv"),
)
def filter_(
    b: Value,
    a: Value,
    x: Value,
    zi: Value | None = None,
    dim: Value | None = None,
    *,
    nargout: int = 1,
) -> Value:
    """Rational filter (direct form II transposed) along a dimension, with states in and out."""
    num, den, data = vector(b), vector(a), real_float(x)
    if den.size == 0 or den[0] == 0:
        text = "First denominator filter coefficient must be non-zero."
        raise MatlabError("MATLAB:filter:zeroLeadingDenominator", text)
    axis = first_axis(data.shape) if dim is None else whole(dim) - 1
    order = max(num.size, den.size) - 1
    while data.ndim <= axis:
        data = np.expand_dims(data, -1)
    shape = list(data.shape)
    shape[axis] = order
    if is_given(zi):
        state = real_float(zi)
        start = (
            state.reshape(shape, order="F")
            if state.size == int(np.prod(shape))
            else (
                np.broadcast_to(
                    state.reshape([-1 if k == axis else 1 for k in range(data.ndim)]), shape
                )
            )
        )
    else:
        plain = num.dtype.char == den.dtype.char == data.dtype.char == "d"
        start = np.zeros(shape, np.float64 if plain else np.result_type(num, den, data))
    if data.size == 0:
        return canonical(data), canonical(start.T if start.ndim == 2 and axis == 1 else start)
    result, final = linear_filter(num, den, data, axis, start)
    single = "f" in (data.dtype.char, num.dtype.char)
    result = result.astype(np.float32) if single and result.dtype == np.float64 else result
    if final.ndim == 2 and axis == 1:
        final = final.T
    return (canonical(result), canonical(final)) if nargout > 1 else canonical(result)


@builtin(
    "detrend",
    category=_FAMILY,
    signatures=("y = detrend(x)", "y = detrend(x, n)", "y = detrend(x, 'constant')"),
    device=term_form(signal_forms.detrend),
    cases=("norm(detrend([1 2 3])) < 1e-14", "norm(detrend([1 2 3], 0) - [-1 0 1]) < 1e-15"),
    see=("polyfit", "mean"),
)
@takes(NUMERIC, unless_text(NUMBERS & SCALAR & WHOLE & NONNEGATIVE))
def detrend(x: Value, n: Value = 1.0) -> Value:
    """Subtract the best polynomial of degree n (1: a line) from every column."""
    names = {"constant": 0, "linear": 1}
    if isinstance(n, str) and n not in names:
        raise MatlabError("MATLAB:detrend:InvalidTrend", "The trend is 'constant' or 'linear'.")
    degree = names[n] if isinstance(n, str) else whole(n)
    data = real_float(x)
    axis = first_axis(data.shape)
    moved = np.moveaxis(data, axis, 0).reshape(data.shape[axis], -1)
    t = np.linspace(-1, 1, moved.shape[0]) if moved.shape[0] > 1 else np.zeros(1)
    basis = np.vander(t, degree + 1)
    rest = moved - basis @ stoppable.lstsq(basis, moved, rcond=None)[0]
    shape = np.moveaxis(data, axis, 0).shape
    return canonical(np.moveaxis(rest.reshape(shape), 0, axis).astype(data.dtype))
