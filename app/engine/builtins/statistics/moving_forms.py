"""Moving windows: what a window joins is joined from halves, so that long ones cost little more."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.statistics.median_forms import mean_of_two
from app.engine.capture.term_arrays import apply_operation, clamp_nan_low, taken_along
from app.engine.capture.terms import Made, Term, cat, constant_array, position, terms, where
from app.engine.values import Value, as_array, is_real_scalar, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
MOST_SORTED = 33
"""Elements of a window whose median is looked for."""
_MEDIANS = frozenset(("movmedian", "movmad"))
_SPREADS = frozenset(("movstd", "movvar"))
_FLAGS = frozenset(("omitnan", "omitmissing", "includenan", "includemissing"))


class Window(NamedTuple):
    """What a moving function was asked for.

    Attributes:
        axis: the dimension from 0.
        before, after: how far a window reaches to both sides.
        omit_nan: whether NaN is left out.
        ends: ``shrink``, ``discard``, or the number that lies beyond the ends.
        weight: of standard deviations: 0 for n-1, 1 for n.
    """

    axis: int
    before: int
    after: int
    omit_nan: bool = False
    ends: str | float = "shrink"
    weight: int = 0

    @property
    def length(self) -> int:
        """Elements of a whole window."""
        return self.before + self.after + 1


def _window_reach(v: Value) -> tuple[int, int] | None:
    """How far a window reaches to both sides; None for what is no window."""
    if is_text_scalar(v):
        return None
    k = as_array(v).ravel()
    if k.dtype.kind != "f" or k.size not in (1, 2) or (k % 1).any() or (k < 0).any():
        return None
    if k.size == 2:
        return int(k[0]), int(k[1])
    return (int(k[0] // 2), int((k[0] - 1) // 2)) if k[0] > 0 else None


def _read(name: str, shape: tuple[int, ...], args: Args) -> Window | None:
    """The window that the arguments after the data describe; None for what only the host does."""
    reach, rest = _window_reach(args[0]), list(args[1:])
    if reach is None:
        return None
    found = Window(first_axis(shape), *reach)
    if name in _SPREADS and rest and not is_text_scalar(rest[0]):
        weight = rest.pop(0)
        if numel(weight) and (not is_real_scalar(weight) or weight not in (0.0, 1.0)):
            return None
        found = found._replace(weight=int(is_real_scalar(weight) and weight == 1.0))
    while rest:
        item = rest.pop(0)
        if not is_text_scalar(item):
            found = found._replace(axis=dimension(item))
            continue
        word = text_of(item).lower()
        if word in _FLAGS:
            found = found._replace(omit_nan=word.startswith("omit"))
        elif word == "endpoints" and rest:
            ends = _ends(rest.pop(0))
            if ends is None:
                return None
            found = found._replace(ends=ends)
        else:
            return None
    fits = found.axis < len(shape) and found.length <= shape[found.axis]
    return found if fits else None


def _ends(v: Value) -> str | float | None:
    if type(v) is float:
        return v
    word = text_of(v).lower() if is_text_scalar(v) else ""
    return math.nan if word == "fill" else word if word in ("shrink", "discard") else None


def _padded_data(x: Term, window: Window, beyond: float) -> Term:
    """The data with what lies beyond their ends, unless that is discarded."""
    if window.ends == "discard":
        return x
    axis = window.axis
    borders = [
        constant_array(beyond, tuple(n if k == axis else m for k, m in enumerate(x.shape)), x.dtype)
        if n
        else None
        for n in (window.before, window.after)
    ]
    parts = [p for p in (borders[0], x, borders[1]) if p is not None]
    return cat(axis, *parts) if len(parts) > 1 else x


Parts = tuple[Term, ...]


def _joined_windows(parts: Parts, window: Window, join: Callable[[Parts, Parts], Parts]) -> Parts:
    """Windows joined from windows of half the length, the first elements first."""
    axis, count = window.axis, parts[0].shape[window.axis] - window.length + 1
    found: Parts | None = None
    offset, size, rest = 0, 1, window.length
    while rest:
        if rest % 2:
            here = tuple(p.part(axis, offset, count) for p in parts)
            found = here if found is None else join(found, here)
            offset += size
        rest //= 2
        if rest:
            length = parts[0].shape[axis] - size
            left = tuple(p.part(axis, 0, length) for p in parts)
            right = tuple(p.part(axis, size, length) for p in parts)
            parts, size = join(left, right), 2 * size
    assert found is not None
    return found


def _single(join: Callable[[Term, Term], Term]) -> Callable[[Parts, Parts], Parts]:
    return lambda a, b: (join(a[0], b[0]),)


def _sum(x: Term, window: Window) -> Term:
    return _joined_windows((x,), window, _single(lambda a, b: a + b))[0]


def _counts(x: Term, window: Window) -> Term:
    """How many elements of each window there are, NaN left out where that is asked for."""
    if window.omit_nan:
        there = (~x.isnan()).cast(x.dtype)
        beyond = 0.0 if window.ends == "shrink" else 1.0 - math.isnan(_padding_value(window, 0.0))
        return _sum(_padded_data(there, window, beyond), window)
    if window.ends != "shrink":
        return constant_array(float(window.length), (1, 1), x.dtype)
    shape = tuple(n if k == window.axis else 1 for k, n in enumerate(x.shape))
    place, last = position(shape, window.axis), float(x.shape[window.axis] - 1)
    count = (place + float(window.after)).min(last) - (place - float(window.before)).max(0.0) + 1.0
    return count.cast(x.dtype)


def _padding_value(window: Window, neutral: float) -> float:
    """What stands beyond the ends."""
    return window.ends if isinstance(window.ends, float) else neutral


def _present(x: Term, window: Window, neutral: float) -> Term:
    """The extended data, with a neutral number in place of NaN that is left out."""
    beyond = _padding_value(window, neutral)
    if not window.omit_nan:
        return _padded_data(x, window, beyond)
    kept = where(x.isnan(), neutral, x)
    return _padded_data(kept, window, neutral if math.isnan(beyond) else beyond)


def _moving_form(
    neutral: float, join: Callable[[Term, Term], Term]
) -> Callable[[Term, Window], Term]:
    return lambda x, window: _joined_windows(
        (_present(x, window, neutral),), window, _single(join)
    )[0]


def _extreme(neutral: float, join: str) -> Callable[[Term, Window], Term]:
    """Extremes, which leave out NaN; NaN where there is nothing else."""

    def form(x: Term, window: Window) -> Term:
        wide = _present(x, window._replace(omit_nan=False), math.nan)
        return _joined_windows((wide,), window, _single(lambda a, b: getattr(a, join)(b)))[0]

    return form


def _mean(x: Term, window: Window) -> Term:
    return _moving_form(0.0, lambda a, b: a + b)(x, window) / _counts(x, window)


def _variance(x: Term, window: Window) -> Term:
    """Counts, means and squares of distances are joined (Chan, Golub and LeVeque, 1979)."""
    shrinks = window.ends == "shrink"
    wide = _present(x, window, 0.0)
    there = (~x.isnan()).cast(x.dtype) if window.omit_nan else constant_array(1.0, x.shape, x.dtype)
    beyond = 0.0 if shrinks else 1.0 - (window.omit_nan and math.isnan(_padding_value(window, 0.0)))
    counts = _padded_data(there, window, beyond)

    def join(a: Parts, b: Parts) -> Parts:
        count = a[0] + b[0]
        share = b[0] / where(count > 0.0, count, 1.0)
        away = b[1] - a[1]
        mean = where(a[0] > 0.0, a[1] + away * share, b[1])
        between = where((a[0] > 0.0) & (b[0] > 0.0), away * away * a[0] * share, 0.0)
        return count, mean, a[2] + b[2] + between

    squares = where(wide.isfinite(), constant_array(0.0, wide.shape, x.dtype), math.nan)
    count, _, total = _joined_windows((counts, wide, squares), window, join)
    if window.weight:
        return total / count
    return total / where(count > 1.0, count - 1.0, count)


def _median(x: Term, window: Window) -> Term:
    """Windows side by side along a dimension of their own, sorted there."""
    return _middle(_windows(x, window), x.rank, window)


def _windows(x: Term, window: Window) -> Term:
    wide = _padded_data(x, window, _padding_value(window, math.nan))
    axis, count = window.axis, wide.shape[window.axis] - window.length + 1
    rows = [wide.part(axis, k, count) for k in range(window.length)]
    return cat(x.rank, *rows) if len(rows) > 1 else rows[0]


def _middle(stacked: Term, last: int, window: Window) -> Term:
    """The median along the last dimension of what is there."""
    if stacked.rank == last:
        return stacked
    ordered = apply_operation("sort", stacked, attrs=(last, False))
    missing = stacked.isnan().cast(stacked.dtype).sum(last)
    there = float(window.length) - missing
    low, high = (
        taken_along(
            ordered, last, clamp_nan_low(((there + step) / 2.0).floor(), 0.0, window.length - 1.0)
        )
        for step in (-1.0, 0.0)
    )
    found = where(low.eq(high), low, mean_of_two(low, high))
    return where(there > 0.0, found, math.nan)


def _with_nan(x: Term, window: Window, found: Term) -> Term:
    """NaN where a window holds one that is not left out."""
    if window.omit_nan:
        return found
    broken = x.isnan().cast(x.dtype)
    beyond = float(math.isnan(_padding_value(window, 0.0)))
    return where(_sum(_padded_data(broken, window, beyond), window) > 0.0, math.nan, found)


def _deviation(x: Term, window: Window) -> Term:
    stacked = _windows(x, window)
    return _middle(abs(stacked - _middle(stacked, x.rank, window)), x.rank, window)


_MOVING: dict[str, Callable[[Term, Window], Term]] = {
    "movsum": _moving_form(0.0, lambda a, b: a + b),
    "movprod": _moving_form(1.0, lambda a, b: a * b),
    "movmax": _extreme(-math.inf, "max"),
    "movmin": _extreme(math.inf, "min"),
    "movmean": _mean,
    "movvar": _variance,
    "movstd": lambda x, window: _variance(x, window).root(),
    "movmedian": lambda x, window: _with_nan(x, window, _median(x, window)),
    "movmad": lambda x, window: _with_nan(x, window, _deviation(x, window)),
}


def moving_form(name: str) -> Callable[[Args, int], Made]:
    """The form of a moving function."""

    def form(args: Args, nargout: int) -> Made:
        found = terms(args[:1])
        if found is NotImplemented or nargout > 1:
            return None
        x: Term = found[0]
        window = _read(name, x.shape, args[1:])
        if window is None or (name in _MEDIANS and window.length > MOST_SORTED):
            return None
        return _MOVING[name](x, window)

    return form


def medfilt1(args: Args, nargout: int) -> Made:
    """``medfilt1(x, n)``: running medians, zeros beyond the ends."""
    found = terms(args[:1])
    count = args[1] if len(args) > 1 else 3.0
    if (
        found is NotImplemented
        or nargout > 1
        or len(args) > 2
        or type(count) is not float
        or count not in range(2, 34)
    ):
        return None
    x: Term = found[0]
    axis, n = first_axis(x.shape), int(count)
    if x.shape[axis] < n:
        return None
    window = Window(axis, n // 2, n - 1 - n // 2, ends=0.0)
    return _with_nan(x, window, _median(x, window))
