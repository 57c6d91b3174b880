"""Waves, levels and short convolutions as formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.signals import recursion_forms, spectral_forms
from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import gives_little, is_on_host
from app.engine.capture.terms import Made, Term, cat, constant_array, terms, value_where, where
from app.engine.values import Array, Value, as_array, is_real_scalar, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
_MOST_TAPS = 4096
_ROUNDED = 4 * 2.0**-52
"""Of products of a column and a row, as large as they are."""
_SPELLED_OUT = 9
"""Weights up to which a convolution is a formula that fuses with its neighbours."""
_MOST_SPELLED_OUT = 64
"""Weights up to which one of pages is a formula, which is the only form of it."""


def sinc(x: Term) -> Term:
    """``sin(pi*x)/(pi*x)``."""
    angle = where(x.eq(0.0), 1e-20, x) * math.pi
    return angle.sin() / angle


def mag2db(x: Term) -> Term:
    """Decibels of magnitudes."""
    return Term(value_where(x >= 0.0, x).log10().node) * 20.0


def pow2db(x: Term) -> Term:
    """Decibels of powers."""
    return Term(value_where(x >= 0.0, x).log10().node) * 10.0


def db(args: Args, nargout: int) -> Made:
    """``db(x)`` and ``db(x, 'power')``: decibels of voltages, of powers."""
    found = terms(args[:1])
    word = text_of(args[1]) if len(args) > 1 and is_text_scalar(args[1]) else "voltage"
    if found is NotImplemented or (len(args) > 1 and not is_text_scalar(args[1])):
        return None
    level = Term(abs(found[0]).log10().node)
    return level * (10.0 if word.startswith("p") else 20.0)


def square(t: Term, duty: Term | float = 50.0) -> Term:
    """A square wave; duty is the positive share in percent."""
    return where(t.mod(2 * math.pi) < duty * (2 * math.pi) / 100.0, 1.0, -1.0)


def sawtooth(t: Term, width: Term | float = 1.0) -> Term:
    """A sawtooth wave; width is where the peak lies."""
    phase = t.mod(2 * math.pi)
    rising = phase / (width * math.pi) - 1.0
    falling = (math.pi * (width + 1.0) - phase) / (math.pi * (1.0 - width))
    return where(phase < width * (2 * math.pi), rising, falling)


def chirp(args: Args, nargout: int) -> Any:
    """A linear sweep of frequency."""
    found = terms(args[:1])
    rest = [v for v in args[1:4] if type(v) is float]
    linear = len(args) < 5 or args[4] == "linear"
    if found is NotImplemented or not linear or len(rest) < len(args[1:4]):
        return NotImplemented
    defaults = (0.0, 1.0, 100.0)
    f0, t1, f1 = (*rest, *defaults[len(rest) :])
    phase = args[5] if len(args) > 5 else 0.0
    if type(phase) is not float or t1 == 0.0 or len(args) > 6:
        return NotImplemented
    t, rate = found[0].cast(DType.F64), (f1 - f0) / t1
    angle = (t * f0 + t * t * (rate * 0.5)) * (2 * math.pi)
    return (angle + math.radians(phase)).cos().cast(found[0].dtype)


def unwrap(args: Args, nargout: int) -> Any:
    """Phase angles without jumps."""
    found = terms(args[:1])
    if found is NotImplemented or len(args) > 1:
        return NotImplemented
    x = found[0]
    axis = first_axis(x.shape)
    count = x.shape[axis] - 1
    if count < 1:
        return NotImplemented
    step = x.part(axis, 1, count) - x.part(axis, 0, count)
    size = abs(step)
    turns = ((size - math.pi) / (2 * math.pi)).ceil() * step.sign() * (-2 * math.pi)
    jumps = where(size > math.pi, turns, 0.0).cumsum(axis)
    return x + cat(axis, constant_array(0.0, _shape_along_axis(x, axis, 1), x.dtype), jumps)


def _shape_along_axis(x: Term, axis: int, count: int) -> tuple[int, ...]:
    return tuple(count if k == axis else n for k, n in enumerate(x.shape))


def _sampling_arguments(args: Args) -> Any:
    """The data, its axis, the step and where it starts."""
    found = terms(args[:1])
    given = [*args[1:], 0.0][:2]
    numbers = [int(v) for v in given if type(v) is float and v >= 0 and v % 1 == 0]
    if found is NotImplemented or len(args) > 3 or len(numbers) < len(given):
        return NotImplemented
    step, start = numbers
    x = found[0]
    axis = first_axis(x.shape)
    return (x, axis, step, start) if step > 0 and start < step else NotImplemented


def downsample(args: Args, nargout: int) -> Any:
    """Every n-th sample."""
    found = _sampling_arguments(args)
    if found is NotImplemented:
        return found
    x, axis, step, start = found
    count = -(-(x.shape[axis] - start) // step)
    return x.part(axis, start, count, step) if count > 0 else NotImplemented


def upsample(args: Args, nargout: int) -> Any:
    """Zeros between the samples."""
    found = _sampling_arguments(args)
    if found is NotImplemented:
        return found
    x, axis, step, start = found
    split = x.reshape((*x.shape[:axis], 1, *x.shape[axis:]))
    around = [
        constant_array(
            0.0,
            tuple(
                n if k == axis else m for k, m in enumerate((*x.shape[:axis], 1, *x.shape[axis:]))
            ),
            x.dtype,
        )
        for n in (start, step - 1 - start)
        if n
    ]
    before, after = around[: start > 0], around[start > 0 :]
    joined = cat(axis, *before, split, *after) if step > 1 else split
    return joined.reshape(tuple(n * step if k == axis else n for k, n in enumerate(x.shape)))


def detrend(args: Args, nargout: int) -> Any:
    """Means or straight lines removed."""
    found = terms(args[:1])
    how = {"constant": 0.0, "linear": 1.0}.get(str(args[1]), args[1]) if len(args) > 1 else 1.0
    if found is NotImplemented or not is_real_scalar(how) or how not in (0.0, 1.0) or len(args) > 2:
        return NotImplemented
    from app.engine.capture.terms import position

    x = found[0]
    axis = first_axis(x.shape)
    n = x.shape[axis]
    away = x - x.mean(axis)
    if how == 0.0 or n < 2:
        return away if n > 1 else NotImplemented
    shape = tuple(n if k == axis else 1 for k in range(x.rank))
    t = (position(shape, axis) - (n - 1) / 2).cast(x.dtype)
    return away - t * ((away * t).sum(axis) / ((n * n - 1.0) * n / 12.0))


# --- short convolutions -----------------------------------------------------------------------


def small_kernel(v: Value, x: Any, rank: int = 2) -> Array | None:
    """A real kernel for `x`, of some dimensions, as doubles on the host; None for all else.

    One on the device is fetched: it is a few numbers. Doubles and a single kernel make singles,
    which the host does, as it does infinite kernels, which meet no border of zeros there.
    """
    if is_text_scalar(v) or x is NotImplemented or numel(v) > _MOST_TAPS:
        return None
    a = as_array(v)
    fits = a.ndim <= rank and a.dtype.kind in "fb" and a.size > 0
    narrows = a.dtype.itemsize == 4 and x.dtype is not DType.F32
    return a.astype(float) if fits and not narrows and np.isfinite(a).all() else None


def _only_term(found: Any) -> Any:
    """The one term of a list; NotImplemented where there is none."""
    return found if found is NotImplemented else found[0]


def padded(x: Term, before: tuple[int, ...], after: tuple[int, ...]) -> Term:
    """An array with a border of zeros."""
    for axis in range(len(before)):
        border = [
            constant_array(0.0, _shape_along_axis(x, axis, n), x.dtype) if n else None
            for n in (before[axis], after[axis])
        ]
        parts = [p for p in (border[0], x, border[1]) if p is not None]
        x = cat(axis, *parts) if len(parts) > 1 else x
    return x


def correlated(x: Term, kernel: Array, size: tuple[int, ...]) -> Term:
    """Products of a kernel with every place of a padded array, added up."""
    found: Term | None = None
    for backwards in np.ndindex(*kernel.shape[::-1]):
        place, part = backwards[::-1], x
        for axis, (start, count) in enumerate(zip(place, size, strict=True)):
            part = part.part(axis, start, count)
        part = part * float(kernel[place])
        found = part if found is None else found + part
    assert found is not None
    return found


def correlation(
    x: Term, kernel: Array, before: tuple[int, int], after: tuple[int, int], size: tuple[int, int]
) -> Term:
    """A matrix within a border of zeros, correlated with a kernel.

    Along columns and then along rows where the kernel is the product of a column and a row.
    """
    parts = _column_and_row(kernel) if kernel.size > _SPELLED_OUT else None
    if parts is not None:
        tall = (size[0], x.shape[1])
        x = correlation(x, parts[0], (before[0], 0), (after[0], 0), tall)
        return correlation(x, parts[1], (0, before[1]), (0, after[1]), size)
    if kernel.size <= _SPELLED_OUT:
        return correlated(padded(x, before, after), kernel, size)
    weights = Session.runtime.leaf(np.asfortranarray(kernel.astype(x.dtype.numpy)))
    attrs = (*before, *size, *kernel.shape)
    return Term(Session.runtime.apply("correlate", (x.node, weights), attrs), x.guarded)


def _column_and_row(kernel: Array) -> tuple[Array, Array] | None:
    """The column and the row whose product a matrix is, to the last bits; None where none are."""
    if 1 in kernel.shape or not np.isfinite(kernel).all():
        return None
    i, j = np.unravel_index(int(np.abs(kernel).argmax()), kernel.shape)
    if not kernel[i, j]:
        return None
    column, row = kernel[:, j : j + 1], kernel[i : i + 1] / kernel[i, j]
    near = np.abs(column * row - kernel) <= _ROUNDED * np.abs(kernel)
    return (column, row) if near.all() else None


def _convolution_2d(x: Term, kernel: Array, shape: str) -> Any:
    (above, left), (below, right), (rows, columns) = _borders(x.shape, kernel.shape, shape)
    if min(rows, columns) < 1:
        return NotImplemented
    borders = (above, left), (below, right)
    return correlation(x, kernel[::-1, ::-1], *borders, (rows, columns))


def _borders(extents: tuple[int, ...], taps: tuple[int, ...], shape: str) -> list[tuple[int, ...]]:
    """The zeros before and behind an array for a convolution, and the size of its result."""
    before = {"valid": [0 for p in taps], "same": [p - 1 - p // 2 for p in taps]}
    after = {"valid": [0 for p in taps], "same": [p // 2 for p in taps]}
    low, high = (known.get(shape, [p - 1 for p in taps]) for known in (before, after))
    size = [n + a + b - p + 1 for n, a, b, p in zip(extents, low, high, taps, strict=True)]
    return [tuple(low), tuple(high), tuple(size)]


def _host_is_sooner(args: Args) -> bool:
    """Whether the host has modest arrays: there are nodes to plan for every number of a kernel."""
    return gives_little(0, args) and all(map(is_on_host, args))


def conv2(args: Args, nargout: int) -> Any:
    """A matrix convolved with a small kernel, or with a column and then with a row."""
    if _host_is_sooner(args):
        return NotImplemented
    if len(args) > 2 and not is_text_scalar(args[2]):
        return _by_column_and_row(args)
    found = terms(args[:1])
    kernel = small_kernel(args[1], _only_term(found))
    shape = args[2] if len(args) > 2 else "full"
    fits = found is not NotImplemented and found[0].rank == 2 and kernel is not None
    if len(args) <= 3 and kernel is None and shape in ("full", "same", "valid"):
        return spectral_forms.conv2(args[0], args[1], str(shape))
    if not fits or len(args) > 3 or shape not in ("full", "same", "valid"):
        return NotImplemented
    return _convolution_2d(found[0], kernel, str(shape))  # type: ignore[arg-type]


def _by_column_and_row(args: Args) -> Any:
    """``conv2(u, v, A, shape)``."""
    found = terms(args[2:3])
    lines = [small_kernel(v, _only_term(found)) for v in args[:2]]
    shape = args[3] if len(args) > 3 else "full"
    if found is NotImplemented or len(args) > 4 or shape not in ("full", "same", "valid"):
        return NotImplemented
    for line, turned in zip(lines, ((-1, 1), (1, -1)), strict=True):
        if found is NotImplemented or found[0].rank != 2 or line is None or 1 not in line.shape:
            return NotImplemented
        made = _convolution_2d(found[0], line.reshape(turned), str(shape))
        found = made if made is NotImplemented else [made]
    return _only_term(found)


def convn(args: Args, nargout: int) -> Any:
    """An array of any rank convolved with a kernel of few numbers."""
    if _host_is_sooner(args):
        return NotImplemented
    found = terms(args[:1])
    x = _only_term(found)
    shape = args[2] if len(args) > 2 else "full"
    if x is NotImplemented or len(args) > 3 or shape not in ("full", "same", "valid"):
        return NotImplemented
    kernel = small_kernel(args[1], x, x.rank)
    if x.rank == 2 or kernel is None or kernel.size > _MOST_SPELLED_OUT:
        return conv2(args, nargout) if x.rank == 2 else NotImplemented
    taps = kernel.shape + (1,) * (x.rank - kernel.ndim)
    before, after, size = _borders(x.shape, taps, str(shape))
    if min(size) < 1:
        return NotImplemented
    return correlated(padded(x, before, after), np.flip(kernel.reshape(taps)), size)


def filter2(args: Args, nargout: int) -> Any:
    """A matrix correlated with a small kernel."""
    if _host_is_sooner(args):
        return NotImplemented
    found = terms(args[1:2])
    kernel = small_kernel(args[0], _only_term(found))
    shape = args[2] if len(args) > 2 else "same"
    fits = found is not NotImplemented and found[0].rank == 2 and kernel is not None
    if not fits or shape not in ("full", "same", "valid"):
        return NotImplemented
    return _convolution_2d(found[0], kernel[::-1, ::-1], str(shape))  # type: ignore[index]


def conv(args: Args, nargout: int) -> Any:
    """A vector convolved with a short one, or with one that is on the device as it is."""
    if len(args) < 3 or args[2] == "full":
        if numel(args[0]) <= numel(args[1]):
            args = (args[1], args[0], *args[2:])
        long = spectral_forms.conv(args)
        if long is not None:
            return long
    found = terms(args[:1])
    kernel = small_kernel(args[1], _only_term(found))
    shape = args[2] if len(args) > 2 else "full"
    if found is NotImplemented or kernel is None or shape not in ("full", "same", "valid"):
        return NotImplemented
    x = found[0]
    if x.size != max(x.shape) or kernel.size != max(kernel.shape) or x.size < kernel.size:
        return NotImplemented
    if x.shape[0] != 1:
        return _convolution_2d(x, kernel.reshape(-1, 1), str(shape))
    if kernel.size <= _SPELLED_OUT:
        return _convolution_2d(x, kernel.reshape(1, -1), str(shape))
    found = _convolution_2d(x.reshape((x.size, 1)), kernel.reshape(-1, 1), str(shape))
    return found if found is NotImplemented else found.reshape((1, found.size))


def filter_(args: Args, nargout: int) -> Any:
    """A filter along the columns of a matrix, or along a vector; feedback by `recursion`."""
    if len(args) != 3 or nargout > 1 or type(args[1]) is not float or not args[1]:
        return recursion_forms.filter_(args, nargout)
    found = terms(args[2:], logical=False)
    weights = small_kernel(args[0], _only_term(found))
    if found is NotImplemented or weights is None or weights.size != max(weights.shape):
        return NotImplemented
    x, kernel = found[0], weights.reshape(-1, 1) / args[1]
    if x.rank != 2 or (1 < x.shape[0] <= kernel.size):
        return NotImplemented
    row = x.shape[0] == 1
    column = x.reshape((x.size, 1)) if row else x
    before = (kernel.size - 1, 0)
    made = correlation(column, kernel[::-1], before, (0, 0), column.shape)
    return made.reshape(x.shape) if row else made
