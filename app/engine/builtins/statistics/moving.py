"""Moving windows: movmean and its kin, with ends, missing values and sample points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import FLAG, NUMBERS
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.statistics import middles, moving_forms
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError
from app.records import record

_FAMILY = "moving windows"
Reducer = Callable[[Array], Any]


@record
class Window:
    """What a moving function was asked for.

    Attributes:
        before: reach to the left, in samples or in units of the sample points.
        after: reach to the right.
        axis: the dimension, from 0.
        omit_nan: True to skip NaN.
        ends: ``shrink``, ``discard``, or the number that lies beyond the ends.
        points: where the samples are; None for 1, 2, 3 …
    """

    before: float
    after: float
    axis: int
    omit_nan: bool
    ends: str | float
    points: Array | None

    def parts(self) -> list[tuple[int, int]]:
        """Where the window of each sample point begins, and where it ends; none without points."""
        points = np.zeros(0) if self.points is None else self.points
        low = np.searchsorted(points, points - self.before, side="left")
        high = np.searchsorted(points, points + self.after, side="right")
        return list(zip(low.tolist(), high.tolist(), strict=True))


def _window_reach(name: str, k: Value, sampled: bool) -> tuple[float, float]:
    NUMBERS(name, 2, k)
    a = as_array(k).astype(np.float64).ravel()
    if (
        a.size not in (1, 2)
        or (a < 0).any()
        or (not sampled and (a % 1).any())
        or (a.size == 1 and a[0] <= 0)
    ):
        text = (
            "Window length must be a finite, nonnegative integer, or a 2-element vector "
            "of finite, nonnegative integers."
        )
        raise MatlabError(f"MATLAB:{name}:wrongWindowLength", text)
    if a.size == 2:
        return float(a[0]), float(a[1])
    if sampled:
        return float(a[0]) / 2, float(np.nextafter(a[0] / 2, 0))
    return float(a[0] // 2), float((a[0] - 1) // 2)


def read(name: str, x: Array, k: Value, args: tuple[Value, ...]) -> Window:
    """The window that arguments after the data describe."""
    axis, omit = first_axis(x.shape), False
    ends: str | float = "shrink"
    points: Array | None = None
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if not is_text_scalar(word):
            axis = dimension(word)
            continue
        text = text_of(word).lower()
        if text in ("omitnan", "omitmissing", "includenan", "includemissing"):
            omit = text.startswith("omit")
        elif text == "endpoints" and rest:
            ends = _ends(name, rest.pop(0))
        elif text == "samplepoints" and rest:
            points = as_array(rest.pop(0)).astype(np.float64).ravel()
        else:
            raise MatlabError(f"MATLAB:{name}:invalidOption", f"Unknown option '{text_of(word)}'.")
    if points is not None and ends != "shrink":
        text = "'Endpoints' must be 'shrink' where 'SamplePoints' are given."
        raise MatlabError(f"MATLAB:{name}:invalidEndpoints", text)
    before, after = _window_reach(name, k, points is not None)
    return Window(before, after, axis, omit, ends, points)


def _ends(name: str, v: Value) -> str | float:
    if not is_text_scalar(v):
        if numel(v) != 1:
            text = "Endpoints must be 'shrink', 'discard', 'fill', or a scalar."
            raise MatlabError(f"MATLAB:{name}:invalidEndpoints", text)
        return float(as_array(v).flat[0].real)
    word = text_of(v).lower()
    if word not in ("shrink", "discard", "fill"):
        text = "Endpoints must be 'shrink', 'discard', 'fill', or a scalar."
        raise MatlabError(f"MATLAB:{name}:invalidEndpoints", text)
    return float("nan") if word == "fill" else word


def slide(columns: Array, window: Window, reduce: Reducer) -> Array:
    """``reduce`` of the window around every element of the last axis."""
    n = columns.shape[-1]
    if window.points is not None:
        parts = [reduce(columns[..., a:b]) for a, b in window.parts()]
        return np.stack(parts, axis=-1) if parts else columns
    before, after = int(window.before), int(window.after)
    if isinstance(window.ends, float):
        fill = [np.full((*columns.shape[:-1], m), window.ends) for m in (before, after)]
        columns = np.concatenate([fill[0], columns, fill[1]], axis=-1)
    inner = _inner(columns, before + after + 1, reduce)
    if window.ends != "shrink" or not n:
        return inner
    lead = [reduce(columns[..., : i + after + 1]) for i in range(min(before, n))]
    tail = [reduce(columns[..., i - before :]) for i in range(max(n - after, before), n)]
    left = [np.stack(lead, axis=-1)] if lead else []
    right = [np.stack(tail, axis=-1)] if tail else []
    return np.concatenate([*left, inner, *right], axis=-1)


def _inner(columns: Array, length: int, reduce: Reducer) -> Array:
    if columns.shape[-1] < length:
        return np.empty((*columns.shape[:-1], 0))
    view = np.lib.stride_tricks.sliding_window_view(columns, length, axis=-1)
    if view.size < stoppable.LARGE_ARRAY:
        return np.asarray(reduce(view))
    # A part at a time: some reductions copy every window, and a stop is heeded between parts.
    count = view.shape[-2]
    step = max(1, stoppable.LARGE_ARRAY // (view.size // count))
    starts = stoppable.heeding(range(0, count, step), every=1)
    return np.concatenate([reduce(view[..., i : i + step, :]) for i in starts], axis=-1)


def _moving_reduction(
    name: str, x: Value, k: Value, args: tuple[Value, ...], reduce: Reducer, skip_nan: Reducer
) -> Value:
    NUMBERS(name, 1, x)
    a = as_array(x)
    a = a if a.dtype.kind in "fc" else a.astype(np.float64)
    window = read(name, a, k, args)
    if window.axis >= a.ndim:
        a = a.reshape(a.shape + (1,) * (window.axis + 1 - a.ndim), order="F")
    columns = np.moveaxis(a, window.axis, -1)
    omit = window.omit_nan and bool(np.isnan(a).any() or isinstance(window.ends, float))
    found = slide(columns, window, skip_nan if omit else reduce)
    return canonical(np.moveaxis(found, -1, window.axis).astype(a.dtype))


def _last(function: Callable[..., Any], empty: float = float("nan")) -> Reducer:
    def reduce(a: Array) -> Any:
        if a.shape[-1] == 0:
            return np.full(a.shape[:-1], empty)
        return function(a, axis=-1)

    return reduce


def _forms(name: str) -> tuple[str, ...]:
    return (
        f"M = {name}(A, k)",
        f"M = {name}(A, [kb kf])",
        f"M = {name}(..., dim)",
        f"M = {name}(..., nanflag)",
        f"M = {name}(..., 'Endpoints', e)",
        f"M = {name}(..., 'SamplePoints', t)",
    )


def declare_moving(
    name: str, summary: str, reduce: Reducer, skip_nan: Reducer, *cases: str
) -> None:
    """Declare one moving function of a reduction along the last axis."""

    def call(a: Value, k: Value, *args: Value) -> Value:
        return _moving_reduction(name, a, k, args, reduce, skip_nan)

    builtin(
        name,
        category=_FAMILY,
        signatures=_forms(name),
        cases=cases,
        text=summary,
        device=term_form(moving_forms.moving_form(name)),
        see=("movmean", "cumsum"),
    )(call)


def _quiet_reducer(function: Callable[..., Any]) -> Reducer:
    """A NaN-skipping reduction that gives NaN where nothing is left, without a warning."""

    def reduce(a: Array) -> Any:
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return _last(function)(a)

    return reduce


def _mad(a: Array, axis: int) -> Any:
    return middles.median(np.abs(a - middles.median(a, axis=axis, keepdims=True)), axis=axis)


def _nanmad(a: Array, axis: int) -> Any:
    return middles.nanmedian(np.abs(a - middles.nanmedian(a, axis=axis, keepdims=True)), axis=axis)


def declare_spread(name: str, summary: str, function: Any, *cases: str) -> None:
    """Declare movstd or movvar, whose third argument is the weight: 0 for n-1, 1 for n."""

    def call(a: Value, k: Value, *args: Value) -> Value:
        weight = 0
        if args and not is_text_scalar(args[0]):
            FLAG(name, 3, args[0])
            weight = int(as_array(args[0]).any())
            args = args[1:]

        def over(reduce: Callable[..., Any]) -> Callable[..., Any]:
            return lambda v, axis: reduce(v, axis=axis, ddof=min(1 - weight, v.shape[axis] - 1))

        def present(v: Array, axis: int) -> Array:
            count = (~np.isnan(v)).sum(axis=axis)
            squares = np.nanvar(v, axis=axis) * count / np.maximum(count - (1 - weight), 1)
            return np.asarray(np.sqrt(squares) if name == "movstd" else squares)

        return _moving_reduction(name, a, k, args, _last(over(function)), _quiet_reducer(present))

    forms = (f"M = {name}(A, k, w)", f"M = {name}(A, k, w, dim)", *_forms(name))
    device = term_form(moving_forms.moving_form(name))
    builtin(name, category=_FAMILY, signatures=forms, cases=cases, text=summary, device=device)(
        call
    )


declare_moving(
    "movmean",
    "Moving mean.",
    _last(np.mean),
    _quiet_reducer(np.nanmean),
    "isequal(movmean([1 2 3 4 5], 3), [1.5 2 3 4 4.5])",
    "isequal(movmean([1 NaN 3], 3, 'omitnan'), [1 2 3])",
)
declare_moving(
    "movsum",
    "Moving sum.",
    _last(np.sum, 0),
    _last(np.nansum, 0),
    "isequal(movsum(1:4, 2), [1 3 5 7])",
    "isequal(movsum(1:4, 3, 'Endpoints', 'discard'), [6 9])",
)
declare_moving(
    "movprod",
    "Moving product.",
    _last(np.prod, 1),
    _last(np.nanprod, 1),
    "isequal(movprod(1:4, [1 0]), [1 2 6 12])",
)
declare_moving(
    "movmedian",
    "Moving median.",
    _last(middles.median),
    _quiet_reducer(middles.nanmedian),
    "isequal(movmedian([1 9 2 8], 3), [5 2 8 5])",
)
declare_moving(
    "movmax",
    "Moving maximum; NaN is skipped.",
    _quiet_reducer(np.nanmax),
    _quiet_reducer(np.nanmax),
    "isequal(movmax([1 3 2], 3), [3 3 3])",
)
declare_moving(
    "movmin",
    "Moving minimum; NaN is skipped.",
    _quiet_reducer(np.nanmin),
    _quiet_reducer(np.nanmin),
    "isequal(movmin([4 3 5], [0 1]), [3 3 5])",
)
declare_spread(
    "movstd",
    "Moving standard deviation.",
    np.std,
    "isequal(movstd([1 1 1], 3), [0 0 0])",
)
declare_spread("movvar", "Moving variance.", np.var, "isequal(movvar([1 2 3], 3), [0.5 1 0.5])")
declare_moving(
    "movmad",
    "Moving median absolute deviation.",
    _last(_mad),
    _quiet_reducer(_nanmad),
    "isequal(movmad([1 2 9], 3), [0.5 1 3.5])",
)
