"""Sample rates changed, frames cut and polynomials fitted in frames, of resident signals."""

from __future__ import annotations

import math

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.signals import signal_forms
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import elements_at, is_resident, resident
from app.engine.capture.terms import Made, Term, cat, constant_array, position
from app.engine.values import Array, DeviceArray, Value, as_array, is_text_scalar, numel

Args = tuple[Value, ...]
F64 = DType.F64
MOST_PHASES = 64
MOST_TAPS = 4096


def _numbers(v: Value) -> Array | None:
    """A few real numbers of the host, or fetched."""
    if is_text_scalar(v) or not 0 < numel(v) <= MOST_TAPS:
        return None
    a = as_array(v.gather("needs-host-value: coefficients") if type(v) is DeviceArray else v)
    return a.ravel().astype(np.float64) if a.dtype.kind in "fb" else None


def _count(v: Value) -> int | None:
    return int(v) if type(v) is float and v % 1 == 0 and v >= 1 else None


def _lines(v: Value, axis: int | None = None) -> tuple[Term, int] | None:
    """A matrix of doubles with its signals in columns, and along which axis they were."""
    found = resident(v)
    if found is None or found[0].rank > 2 or found[0].dtype is not F64:
        return None
    x = found[0]
    along = first_axis(x.shape) if axis is None else axis
    if along > 1:
        return None
    return (x.permute(1, 0) if along == 1 else x), along


def _transposed_back(y: Term, axis: int) -> Term:
    return y.permute(1, 0) if axis == 1 else y


def _polyphase(x: Term, taps: Array, up: int, down: int, first: int, count: int) -> Term | None:
    """Columns with zeros between their samples, filtered: samples ``first + m*down`` of that."""
    if up > MOST_PHASES or taps.size > MOST_TAPS:
        return None
    reach = -(-taps.size // up)
    table = np.zeros(reach * up)
    table[: taps.size] = taps
    length, columns = x.shape[0] + reach - 1, x.shape[1]
    phases = [
        signal_forms.correlation(
            x,
            table[phase::up][::-1].reshape(-1, 1),
            (reach - 1, 0),
            (reach - 1, 0),
            (length, columns),
        )
        for phase in range(up)
    ]
    stacked = cat(2, *phases) if up > 1 else phases[0]
    at = position((count, 1), 0) * float(down) + float(first)
    sample = (at / float(up)).floor()
    phase = at - sample * float(up)
    places = sample + phase * float(length * columns) + position((1, columns), 1) * float(length)
    return elements_at(stacked, places)


def upfirdn(args: Args, nargout: int) -> Made:
    """``upfirdn(x, h, p, q)``."""
    lines, taps = _lines(args[0]), _numbers(args[1]) if is_resident(args[0]) else None
    up, down = (_count(v) for v in (*args[2:], 1.0, 1.0)[:2])
    if lines is None or taps is None or up is None or down is None:
        return None
    x, axis = lines
    count = ((x.shape[0] - 1) * up + taps.size - 1) // down + 1
    made = _polyphase(x, taps, up, down, 0, count)
    return None if made is None else _transposed_back(made, axis)


def resample(args: Args, nargout: int) -> Made:
    """``[y, b] = resample(x, p, q, n, beta)``, as SciPy's ``resample_poly`` does it."""
    from scipy import signal

    ratio = [_count(v) for v in args[1:3]]
    rest = (*args[3:5], *(10.0, 5.0)[len(args[3:5]) :])
    reach, beta = _count(rest[0]), rest[1]
    if len(args) > 5 or None in ratio or reach is None or type(beta) is not float:
        return None
    lines = _lines(args[0])
    if lines is None:
        return None
    x, axis = lines
    common = math.gcd(*ratio)  # type: ignore[arg-type]
    up, down = (n // common for n in ratio)  # type: ignore[operator]
    half = reach * max(up, down)
    taps = signal.firwin(2 * half + 1, 1 / max(up, down), window=("kaiser", beta))
    count = -(-x.shape[0] * up // down)
    made = x if up == down else _polyphase(x, taps * up, up, down, half, count)
    if made is None:
        return None
    shown = _transposed_back(made, axis)
    if nargout < 2:
        return shown
    return shown, Term(Session.runtime.leaf(np.asfortranarray((taps * up).reshape(1, -1))))


def interpolating_taps(factor: int, half: int, cutoff: float) -> Array:
    """Weights of a low-pass filter that keeps the samples between which it puts others."""
    from scipy import signal

    edge = cutoff / factor
    taps = signal.firwin(2 * half * factor + 1, 2 * edge if edge < 0.5 else 1 / factor)
    return _keeping(taps * factor, factor)


def _keeping(taps: Array, factor: int) -> Array:
    """The filter whose taps at whole samples are those of an identity."""
    middle = taps.size // 2
    fixed: Array = taps.copy()
    fixed[middle % factor :: factor] = 0
    fixed[middle] = 1
    return fixed


def interp(args: Args, nargout: int) -> Made:
    """``interp(x, r)``."""
    factor = _count(args[1])
    lines = _lines(args[0]) if factor is not None and len(args) == 2 and nargout < 2 else None
    if lines is None or factor is None or lines[0].shape[1] > 1:
        return None
    (x, axis), half = lines, 4
    count = x.shape[0]
    if count <= half:
        return None
    before = x.part(0, 0, 1) * 2.0 - x.part(0, half, half, -1)
    after = x.part(0, count - 1, 1) * 2.0 - x.part(0, count - 2, half, -1)
    taps = interpolating_taps(factor, half, 0.5)
    made = _polyphase(cat(0, before, x, after), taps, factor, 1, 2 * half * factor, count * factor)
    return None if made is None else _transposed_back(made, axis)


def fftfilt(args: Args, nargout: int) -> Made:
    """``fftfilt(b, x)``: a filter without feedback."""
    usual = len(args) == 2 and is_resident(args[1]) and numel(args[0]) <= MOST_TAPS
    lines = _lines(args[1]) if usual else None
    return None if lines is None else signal_forms.filter_((args[0], 1.0, args[1]), 1)


def sgolayfilt(args: Args, nargout: int) -> Made:
    """``sgolayfilt(x, order, framelen)``: at the ends the polynomials of the end frames."""
    from scipy import signal

    degree, frame = args[1], _count(args[2])
    lines = _lines(args[0]) if len(args) == 3 else None
    if lines is None or frame is None or type(degree) is not float or degree % 1:
        return None
    x, axis = lines
    count, half = x.shape[0], frame // 2
    if frame % 2 == 0 or not 0 <= degree < frame <= count or frame > MOST_TAPS or not half:
        return None
    edges = signal.savgol_filter(np.eye(frame), frame, int(degree), axis=0)
    weights = signal.savgol_coeffs(frame, int(degree), use="dot").reshape(-1, 1)
    inner = count - 2 * half
    middle = signal_forms.correlation(x, weights, (0, 0), (0, 0), (inner, x.shape[1]))
    first, last = (
        Term(Session.runtime.leaf(np.asfortranarray(e))) for e in (edges[:half], edges[-half:])
    )
    made = cat(
        0,
        first.matmul(x.part(0, 0, frame)),
        middle,
        last.matmul(x.part(0, count - frame, frame)),
    )
    return _transposed_back(made, axis)


def buffer(args: Args, nargout: int) -> Made:
    """``buffer(x, n, p)``: zeros before the first sample, and after the last."""
    size = _count(args[1])
    shared = args[2] if len(args) > 2 else 0.0
    found = resident(args[0]) if size is not None and len(args) < 4 and nargout < 2 else None
    if found is None or size is None or type(shared) is not float or shared % 1:
        return None
    x, late = found[0], int(shared)
    if x.size != max(x.shape) or not 0 <= late < size:
        return None
    step = size - late
    count = -(-x.size // step)
    behind = (count - 1) * step + size - late - x.size
    parts = [x.reshape((x.size, 1))]
    if late:
        parts.insert(0, constant_array(0.0, (late, 1), x.dtype))
    if behind > 0:
        parts.append(constant_array(0.0, (behind, 1), x.dtype))
    line = cat(0, *parts) if len(parts) > 1 else parts[0]
    places = position((size, 1), 0) + position((1, count), 1) * float(step)
    return elements_at(line, places)
