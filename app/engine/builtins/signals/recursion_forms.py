"""Filters with feedback as passes of shifts, each of which doubles how far back it reaches.

``1/A(z)`` is ``A(-z)/(A(z)*A(-z))``, whose denominator has only even powers: after a pass with as
many products as the filter has coefficients the recursion goes in steps of two, then of four, until
what is left to feed back is below rounding or the line is at its end (scattered look-ahead; Parhi
and Messerschmitt, "Pipeline interleaving and parallelism in recursive digital filters", 1989).
"""

from __future__ import annotations

import math

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import holds, is_resident, real_term_of, shift_along
from app.engine.capture.terms import Made, Term, cat, constant_array
from app.engine.values import Array, DeviceArray, Value, as_array, is_text_scalar, numel

Args = tuple[Value, ...]
MOST_TAPS = 64
NEGLIGIBLE = 1e-18
"""Of feedback, relative to what is fed back."""
LARGEST_GROWTH = math.log(1e150)
"""Its logarithm; products of two coefficients are held, too."""


def _coefficients(v: Value) -> Array | None:
    """Real coefficients as doubles; None for all else. Those on the device are a few numbers."""
    if is_text_scalar(v) or not 0 < numel(v) <= MOST_TAPS:
        return None
    a = as_array(v.gather("needs-host-value: coefficients") if type(v) is DeviceArray else v)
    usual = a.dtype.kind in "fb" and a.size == max(a.shape) and np.isfinite(a).all()
    return a.ravel().astype(np.float64) if usual else None


def _fir_filtered(x: Term, axis: int, taps: Array, step: int = 1) -> Term:
    """A sum of shifted copies: a filter without feedback, whose taps lie ``step`` apart."""
    found = x if taps[0] == 1.0 else x * float(taps[0])
    for k in range(1, taps.size):
        if taps[k] and k * step < x.shape[axis]:
            found = found + shift_along(x, axis, k * step, 0.0) * float(taps[k])
    return found


def recursive(x: Term, axis: int, poles: Array) -> Term:
    """``y`` where ``poles[0]*y(k) + poles[1]*y(k-1) + … = poles[0]*x(k)``."""
    feedback, step = poles / poles[0], 1
    signs = (-1.0) ** np.arange(poles.size)
    while step < x.shape[axis] and np.abs(feedback[1:]).max(initial=0.0) > NEGLIGIBLE:
        mirrored = feedback * signs
        x = _fir_filtered(x, axis, mirrored, step)
        feedback, step = np.convolve(feedback, mirrored)[::2], 2 * step
        # Every pass is stored: otherwise each would compute the last one again per shift.
        Session.runtime.evaluate([x.node], "needs-host-value: a pass of a filter")
    return x


def _iir_filtered(x: Term, axis: int, b: Array, a: Array, start: Term | None) -> Term:
    """The filter, from what its states are at the beginning."""
    driven = _fir_filtered(x, axis, b / a[0])
    if start is not None:
        rest = x.shape[axis] - start.shape[axis]
        shape = tuple(rest if k == axis else n for k, n in enumerate(x.shape))
        driven = driven + cat(axis, start, constant_array(0.0, shape, x.dtype))
    return recursive(driven, axis, a)


def _can_be_held(poles: Array, count: int) -> bool:
    """Whether coefficients that reach so far back are numbers: an unstable filter's grow."""
    largest = np.abs(np.roots(poles)).max(initial=0.0)
    return bool(largest <= 1.0 or math.log(largest) * count < LARGEST_GROWTH)


def _dies_away(poles: Array, x: Term) -> bool:
    """Whether what is fed back does: what is infinite or not a number is so for ever."""
    return not poles[1:].any() or holds((abs(x) < math.inf).all(), "are all samples finite?")


def _states(x: Term, y: Term, axis: int, b: Array, a: Array) -> Term:
    """The states after the last element (direct form II transposed)."""
    order, last = max(b.size, a.size) - 1, x.shape[axis] - 1
    parts = []
    for k in range(order):
        total = constant_array(
            0.0, tuple(1 if i == axis else n for i, n in enumerate(x.shape)), x.dtype
        )
        for i in range(k + 1, order + 1):
            at = last - (i - k - 1)
            if i < b.size:
                total = total + x.part(axis, at, 1) * float(b[i] / a[0])
            if i < a.size:
                total = total - y.part(axis, at, 1) * float(a[i] / a[0])
        parts.append(total)
    return cat(axis, *parts)


def filter_(args: Args, nargout: int) -> Made:
    """``[y, zf] = filter(b, a, x, zi, dim)`` with feedback."""
    b, a = _coefficients(args[0]), _coefficients(args[1])
    x = real_term_of(args[2]) if is_resident(args[2]) else None
    if b is None or a is None or x is None or not a[0] or not x.dtype.is_float or nargout > 2:
        return None
    axis = first_axis(x.shape) if len(args) < 5 else dimension(args[4])
    order = max(b.size, a.size) - 1
    if axis >= x.rank or x.shape[axis] <= order or order < 1:
        return None
    if not _can_be_held(a, x.shape[axis]):
        return None
    work = x.cast(DType.F64)
    start: Term | None = None
    if len(args) > 3 and numel(args[3]):
        states = real_term_of(args[3])
        shape = tuple(order if k == axis else n for k, n in enumerate(x.shape))
        if states is None or states.size != order * x.size // x.shape[axis]:
            return None
        start = states.cast(DType.F64).reshape(shape)
    if not all(_dies_away(a, term) for term in (work, start) if term is not None):
        return None
    y = _iir_filtered(work, axis, b, a, start)
    made = y.cast(x.dtype)
    if nargout < 2:
        return made
    final = _states(work, y, axis, b, a)
    return made, final.permute(1, 0) if axis == 1 and x.rank == 2 else final


def filtfilt(args: Args, nargout: int) -> Made:
    """``filtfilt(b, a, x)``."""
    from scipy import signal

    b, a = _coefficients(args[0]), _coefficients(args[1])
    x = real_term_of(args[2]) if is_resident(args[2]) else None
    if b is None or a is None or x is None or not a[0] or x.dtype is not DType.F64:
        return None
    axis, order = first_axis(x.shape), max(b.size, a.size) - 1
    pad, count = 3 * order, x.shape[axis]
    if order < 1 or count <= pad or not _can_be_held(a, count + 2 * pad) or not _dies_away(a, x):
        return None
    weights = signal.lfilter_zi(b, a)
    first, last = x.part(axis, 0, 1), x.part(axis, count - 1, 1)
    before = first * 2.0 - x.part(axis, pad, pad, -1)
    after = last * 2.0 - x.part(axis, count - 2, pad, -1)
    wide = cat(axis, before, x, after)
    for _ in range(2):
        start = wide.part(axis, 0, 1)
        states = cat(axis, *(start * float(w) for w in weights))
        wide = _iir_filtered(wide, axis, b, a, states)
        wide = wide.part(axis, wide.shape[axis] - 1, wide.shape[axis], -1)
    return wide.part(axis, pad, count)
