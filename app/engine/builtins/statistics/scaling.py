"""Data scaled and centred: zscore, normalize, rescale, center."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import DIM, FLAG, NUMBERS, option_pairs, real_number, takes
from app.engine.builtins.statistics import middles, statistic_forms
from app.engine.builtins.statistics.moments import axis_of, floats
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError
from app.records import record

_FAMILY = "statistics"
Pair: TypeAlias = tuple[Array | None, Array | None]
Measures: TypeAlias = dict[str, Callable[[], Array]]


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
    signatures=(
        "[N, C, S] = normalize(A)",
        "N = normalize(A, dim)",
        "N = normalize(A, method, type)",
        "N = normalize(A, 'center', c, 'scale', s)",
    ),
    device=term_form(statistic_forms.normalize),
    cases=(
        "isequal(normalize([1 2 3]), [-1 0 1])",
        "isequal(normalize([1 2 3], 'range'), [0 0.5 1])",
        "[n, c, s] = normalize([1 2 3; 3 6 9]'); isequal(c, [2 6]) && isequal(s, [1 3])",
        "[n, c, s] = normalize([2 4 6], 'range', [-1 1]); isequal({n, c, s}, {[-1 0 1], 4, 2})",
        "isequal(normalize([2 4 6 9], 'scale', 'first'), [1 2 3 4.5])",
        "isequal(normalize([1 2 3 10], 'scale', 'mad'), [1 2 3 10])",
        "isequal(normalize([1 2 3 10], 'center', 'median', 'scale', 2), [-0.75 -0.25 0.25 3.75])",
        "isequal(normalize([1 2 3 4], 'medianiqr'), [-0.75 -0.25 0.25 0.75])",
        "isequal(normalize([1 2; 3 4], 'center', [1 2]), [0 0; 2 2])",
    ),
    see=("zscore", "rescale"),
)
@takes(NUMBERS)
def normalize(ctx: CallContext, a: Value, *args: Value) -> Value:
    """Scale data: ``zscore`` (default), ``norm``, ``range``, ``center``, ``scale``, ``medianiqr``.

    The other outputs are the centre and the scale that were used.
    """
    x = floats("normalize", a)
    dim = None
    if args and not is_text_scalar(args[0]):
        dim, args = args[0], args[1:]
    parts = _Scaling(ctx, x, axis_of(x, dim))
    methods = _methods_of(args)
    centre, scale = _ZERO, _ONE
    for method, kind in methods:
        if method == "range":
            return _into_range(parts, kind)
        if method not in _MEASURES:
            text = f"Unknown normalization method '{method}'."
            raise MatlabError("MATLAB:normalize:InvalidMethod", text)
        c, s = _MEASURES[method](parts, kind)
        centre, scale = (c if c is not None else centre), (s if s is not None else scale)
    shifted = x if centre is _ZERO else x - centre
    made = shifted if scale is _ONE else shifted / scale
    return canonical(np.asarray(made)), canonical(centre), canonical(scale)


def _methods_of(args: tuple[Value, ...]) -> list[tuple[str, Value | None]]:
    """Methods with their types: one, or ``center`` and ``scale``."""
    if not args:
        return [("zscore", None)]
    first = text_of(args[0]).lower()
    found: list[tuple[str, Value | None]] = [(first, args[1] if len(args) > 1 else None)]
    if len(args) > 2:
        second = text_of(args[2]).lower()
        if {first, second} != {"center", "scale"} or len(args) > 4:
            text = "Only 'center' and 'scale' can be combined."
            raise MatlabError("MATLAB:normalize:InvalidMethod", text)
        found.append((second, args[3] if len(args) > 3 else None))
    return found


_ZERO, _ONE = np.zeros((1, 1)), np.ones((1, 1))


@record
class _Scaling:
    """What is scaled, along which axis."""

    ctx: CallContext
    x: Array
    axis: int

    def median(self, x: Array) -> Array:
        """The medians of the elements that are not NaN."""
        return middles.nanmedian(x, axis=self.axis, keepdims=True)

    def mad(self) -> Array:
        """The medians of distances from the medians."""
        return self.median(np.abs(self.x - self.median(self.x)))

    def iqr(self) -> Array:
        """The ranges of the middle halves."""
        found = self.ctx.call("iqr", (canonical(self.x), self.axis + 1.0))[0]
        return np.asarray(as_array(found))

    def chosen(
        self, method: str, kind: Value | None, known: dict[str, Callable[[], Array]]
    ) -> Array:
        """A measure by its word (the first one is meant by none), or the numbers given."""
        if kind is not None and not is_text_scalar(kind):
            return np.asarray(as_array(kind), dtype=self.x.dtype)
        word = next(iter(known)) if kind is None else text_of(kind).lower()
        if word not in known:
            text = f"'{word}' is not a type of '{method}': use {', '.join(known)}."
            raise MatlabError("MATLAB:normalize:InvalidType", text)
        return known[word]()


def _zscore(of: _Scaling, kind: Value | None) -> Pair:
    robust = of.chosen("zscore", kind, {"std": lambda: _ZERO, "robust": lambda: _ONE}) is _ONE
    if robust:
        return of.median(of.x), of.mad()
    return _middle(of.x, of.axis), _standard_deviation(of.x, of.axis)


def _norm(of: _Scaling, kind: Value | None) -> Pair:
    order = 2.0 if kind is None else real_number(kind)
    if np.isinf(order):
        return None, np.asarray(np.fmax.reduce(np.abs(of.x), axis=of.axis, keepdims=True))
    powers = np.nansum(np.abs(of.x) ** order, axis=of.axis, keepdims=True)
    return None, np.asarray(powers ** (1 / order))


def _center(of: _Scaling, kind: Value | None) -> Pair:
    known = {"mean": lambda: _middle(of.x, of.axis), "median": lambda: of.median(of.x)}
    return of.chosen("center", kind, known), None


def _scale(of: _Scaling, kind: Value | None) -> Pair:
    known = {
        "std": lambda: _standard_deviation(of.x, of.axis),
        "mad": of.mad,
        "first": lambda: np.take(of.x, [0], axis=of.axis),
        "iqr": of.iqr,
    }
    return None, of.chosen("scale", kind, known)


def _medianiqr(of: _Scaling, kind: Value | None) -> Pair:
    if kind is not None:
        raise MatlabError("MATLAB:normalize:InvalidType", "'medianiqr' has no types.")
    return of.median(of.x), of.iqr()


_MEASURES: dict[str, Callable[[_Scaling, Value | None], Pair]] = {
    "zscore": _zscore,
    "norm": _norm,
    "center": _center,
    "scale": _scale,
    "medianiqr": _medianiqr,
}
"""The centre and the scale of each method; None for what it leaves alone."""


def _into_range(of: _Scaling, kind: Value | None) -> Value:
    """The data between two numbers, and the centre and scale that bring them there."""
    x = of.x
    low, high = (f.reduce(x, axis=of.axis, keepdims=True) for f in (np.fmin, np.fmax))
    ends = [0.0, 1.0] if kind is None or is_text_scalar(kind) else as_array(kind).ravel().tolist()
    if len(ends) != 2 or is_text_scalar(kind):
        text = "The range must be two numbers, such as [0 1]."
        raise MatlabError("MATLAB:normalize:InvalidRange", text)
    a, b = ends
    made = a + (x - low) / (high - low) * (b - a)
    scale = (high - low) / (b - a)
    return canonical(np.asarray(made)), canonical(low - a * scale), canonical(scale)


def _standard_deviation(x: Array, axis: int) -> Array:
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
    cases=(
        "isequal(rescale([1 2 3]), [0 0.5 1])",
        "isequal(rescale([1 2 3], -1, 1), [-1 0 1])",
        "isequaln(rescale([NaN NaN]), [NaN NaN])",
    ),
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
    least = as_array(options["inputmin"]) if "inputmin" in options else np.fmin.reduce(x, axis=None)
    most = as_array(options["inputmax"]) if "inputmax" in options else np.fmax.reduce(x, axis=None)
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
