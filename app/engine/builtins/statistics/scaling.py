"""Data scaled and centred: zscore, normalize, rescale, center."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.checks import DIM, FLAG, NUMBERS, option_pairs, real_number, takes
from app.engine.builtins.statistics import statistic_forms
from app.engine.builtins.statistics.moments import axis_of, floats
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError

_FAMILY = "statistics"


@builtin(
    "zscore",
    category=_FAMILY,
    signatures=("Z = zscore(X)", "[Z, mu, sigma] = zscore(X, flag, dim)"),
    device=term_form(statistic_forms.zscore),
    cases=("isequal(zscore([1 2 3]), [-1 0 1])",),
    see=("normalize", "std"),
)
@takes(NUMBERS, FLAG, DIM)
def zscore(x: Value, flag: Value = 0.0, dim: Value | None = None) -> Value:
    """Subtract the mean and divide by the standard deviation; constant columns give zeros."""
    a = floats("zscore", x)
    axis = axis_of(a, dim)
    a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
    ddof = 0 if numel(flag) and real_number(flag) == 1 else 1
    mean = a.mean(axis=axis, keepdims=True)
    spread = a.std(axis=axis, keepdims=True, ddof=min(ddof, max(a.shape[axis] - 1, 0)))
    scale = np.where(spread == 0, 1, spread)
    return canonical((a - mean) / scale), canonical(mean), canonical(spread)


@builtin(
    "normalize",
    category=_FAMILY,
    signatures=("N = normalize(A)", "N = normalize(A, dim)", "N = normalize(A, method, type)"),
    device=term_form(statistic_forms.normalize),
    cases=(
        "isequal(normalize([1 2 3]), [-1 0 1])",
        "isequal(normalize([1 2 3], 'range'), [0 0.5 1])",
    ),
    see=("zscore", "rescale"),
)
@takes(NUMBERS)
def normalize(a: Value, *args: Value) -> Value:
    """Scale data: ``zscore`` (default), ``norm``, ``range``, ``center``, ``scale``."""
    x = floats("normalize", a)
    dim = None
    if args and not isinstance(args[0], str):
        dim, args = args[0], args[1:]
    axis = axis_of(x, dim)
    method = text_of(args[0]).lower() if args else "zscore"
    kind = args[1] if len(args) > 1 else None
    scaler = _SCALERS.get(method)
    if scaler is None:
        text = f"Unknown normalization method '{method}'."
        raise MatlabError("MATLAB:normalize:InvalidMethod", text)
    return canonical(scaler(x, axis, kind))


def _spread(x: Array, axis: int) -> Array:
    count = _present(x, axis)
    away = x - _middle(x, axis)
    total = np.nansum((away * away.conj()).real, axis=axis, keepdims=True)
    return np.asarray(np.sqrt(total / np.maximum(count - 1, 1)))


def _present(x: Array, axis: int) -> Array:
    """How many elements are numbers."""
    return np.asarray((~np.isnan(x)).sum(axis=axis, keepdims=True, dtype=x.real.dtype))


def _middle(x: Array, axis: int) -> Array:
    """The means of the elements that are not NaN."""
    count = _present(x, axis)
    return np.asarray(np.nansum(x, axis=axis, keepdims=True) / count)


def _by_zscore(x: Array, axis: int, kind: Value | None) -> Array:
    if kind == "robust":
        centre = np.nanmedian(x, axis=axis, keepdims=True)
        away = np.nanmedian(np.abs(x - centre), axis=axis, keepdims=True)
        return np.asarray((x - centre) / away)
    return np.asarray((x - _middle(x, axis)) / _spread(x, axis))


def _by_norm(x: Array, axis: int, kind: Value | None) -> Array:
    order = 2.0 if kind is None else real_number(kind)
    if np.isinf(order):
        return np.asarray(x / np.fmax.reduce(np.abs(x), axis=axis, keepdims=True))
    return np.asarray(x / np.nansum(np.abs(x) ** order, axis=axis, keepdims=True) ** (1 / order))


def _by_range(x: Array, axis: int, kind: Value | None) -> Array:
    low, high = (f.reduce(x, axis=axis, keepdims=True) for f in (np.fmin, np.fmax))
    ends = [0.0, 1.0] if kind is None or is_text_scalar(kind) else as_array(kind).ravel().tolist()
    if len(ends) != 2 or is_text_scalar(kind):
        text = "The range must be two numbers, such as [0 1]."
        raise MatlabError("MATLAB:normalize:InvalidRange", text)
    a, b = ends
    return np.asarray(a + (x - low) / (high - low) * (b - a))


def _by_center(x: Array, axis: int, kind: Value | None) -> Array:
    if kind == "median":
        return np.asarray(x - np.nanmedian(x, axis=axis, keepdims=True))
    if kind is not None and not isinstance(kind, str):
        return np.asarray(x - real_number(kind))
    return np.asarray(x - _middle(x, axis))


def _by_scale(x: Array, axis: int, kind: Value | None) -> Array:
    if kind is not None and not isinstance(kind, str):
        return np.asarray(x / real_number(kind))
    return np.asarray(x / _spread(x, axis))


_SCALERS: dict[str, Callable[[Array, int, Value | None], Array]] = {
    "zscore": _by_zscore,
    "norm": _by_norm,
    "range": _by_range,
    "center": _by_center,
    "scale": _by_scale,
}


def _rescale_options(args: tuple[Value, ...]) -> dict[str, Value]:
    options = option_pairs("rescale", args)
    for name, value in options.items():
        if name not in ("inputmin", "inputmax"):
            raise MatlabError("MATLAB:rescale:InvalidOption", f"Unknown option '{name}'.")
        NUMBERS("rescale", 3, value)
    return options


@builtin(
    "rescale",
    category=_FAMILY,
    signatures=(
        "B = rescale(A)",
        "B = rescale(A, low, high)",
        "B = rescale(..., 'InputMin', a, 'InputMax', b)",
    ),
    device=term_form(statistic_forms.rescale),
    cases=("isequal(rescale([1 2 3]), [0 0.5 1])", "isequal(rescale([1 2 3], -1, 1), [-1 0 1])"),
    see=("normalize",),
)
@takes(NUMBERS)
def rescale(a: Value, *args: Value) -> Value:
    """Scale all of an array into an interval."""
    x = floats("rescale", a)
    low, high = np.asarray(0.0), np.asarray(1.0)
    if len(args) > 1 and not isinstance(args[0], str):
        NUMBERS("rescale", 2, args[0])
        NUMBERS("rescale", 3, args[1])
        low, high, args = as_array(args[0]), as_array(args[1]), args[2:]
    options = _rescale_options(args)
    if x.size == 0:
        return canonical(x)
    if (low > high).any():
        text = "The lower bound must not exceed the upper bound."
        raise MatlabError("MATLAB:rescale:Bounds", text)
    least = np.asarray(as_array(options["inputmin"])) if "inputmin" in options else np.nanmin(x)
    most = np.asarray(as_array(options["inputmax"])) if "inputmax" in options else np.nanmax(x)
    clipped = np.clip(x, least, most)
    width = np.where(most == least, 1, most - least)
    scaled = low + (clipped - least) / width * (high - low)
    return canonical(scaled.astype(x.dtype))


@builtin(
    "center",
    words="",
    category=_FAMILY,
    signatures=("Y = center(X)", "Y = center(X, dim)"),
    device=term_form(statistic_forms.center),
    cases=("isequal(center([1 2 3]), [-1 0 1])",),
    see=("zscore",),
)
@takes(NUMBERS, DIM)
def center(x: Value, dim: Value | None = None) -> Value:
    """Subtract the mean."""
    a = floats("center", x)
    axis = axis_of(a, dim)
    if axis >= a.ndim:
        return canonical(np.zeros_like(a))
    return canonical(a - a.mean(axis=axis, keepdims=True) if a.size else a)
