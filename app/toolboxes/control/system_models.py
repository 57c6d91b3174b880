"""Making systems: tf, zpk, ss, filt, and their data."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    NUMBERS,
    POSITIVE,
    REAL,
    SCALAR,
    real_number,
    takes,
)
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, int_of, is_text_scalar, numel, text_of
from app.errors import MatlabError
from app.toolboxes.control import rational
from app.toolboxes.control.conversions import (
    Matrices,
    gain,
    system,
    to_roots,
    to_states,
    to_transfer,
)
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.systems import (
    StateSpace,
    TransferFunction,
    ZeroPoleGain,
    channels_of,
)

_FAMILY = "control systems"
_TIME = NUMBERS & REAL & SCALAR & POSITIVE
_DISCRETE = ("z", "q", "z^-1", "q^-1")


def _data_and_properties(
    name: str, args: tuple[Value, ...], most: int
) -> tuple[list[Value], dict[str, Value]]:
    """Data, and the named properties behind it."""
    first = next((k for k, a in enumerate(args) if is_text_scalar(a)), len(args))
    rest = args[first:]
    if first > most or len(rest) % 2:
        text = f"The form is {name} with data, a sample time, and pairs of names and values."
        raise MatlabError(f"Control:{name}:InvalidSyntax", text)
    return list(args[:first]), {text_of(k): v for k, v in zip(rest[::2], rest[1::2], strict=True)}


def _with_properties(ctx: CallContext, s: Lti, facts: dict[str, Value], ts: list[Value]) -> Value:
    """The system with a sample time and properties."""
    made: Any = s
    for name, value in [*(("Ts", t) for t in ts if numel(t)), *facts.items()]:
        made = made.set_member(ctx, name, value)
    return made


def _letter(v: Value, ts: list[Value], kind: str) -> tuple[str, float]:
    """The variable of ``tf('s')`` and its sample time."""
    letter = text_of(v)
    if letter not in ("s", "p", *_DISCRETE[:2]):
        raise MatlabError(f"Control:{kind}:InvalidVariable", "The variable must be s, p, z or q.")
    return letter, real_number(ts[0]) if ts else -1.0 if letter in _DISCRETE else 0.0


@builtin(
    "tf",
    category=_FAMILY,
    least=0,
    signatures=(
        "sys = tf(num, den)",
        "sys = tf(num, den, Ts)",
        "s = tf('s')",
        "z = tf('z', Ts)",
        "sys = tf(k)",
        "sys = tf(other)",
        "sys = tf(..., name, value)",
    ),
    cases=(
        "isequal(tf([1 2], [1 3 5]).num{1}, [0 1 2])",
        "s = tf('s'); dcgain(1/(s+2)) == 0.5",
        'class(tf(1, [1 1])) == "tf"',
    ),
    see=("ss", "zpk", "feedback", "step", "bode"),
)
def tf(ctx: CallContext, *args: Value) -> Value:
    """A transfer function: numerator and denominator, highest power first.

    Cells of vectors make a system with several inputs and outputs. ``s = tf('s')`` gives the
    variable to write systems with: ``(s + 1) / (s^2 + 3*s + 5)``. A sample time makes the system
    discrete. Systems add, multiply and divide; ``sys.num{1}`` and ``sys.den{1}`` are the data.
    """
    if args and is_text_scalar(args[0]):
        letter, ts = _letter(args[0], list(args[1:]), "tf")
        made = TransferFunction(
            rational.channels([[np.array([1.0, 0.0])]]), rational.channels([[np.ones(1)]]), ts
        )
        made.facts = {"Variable": letter}
        return made
    data, facts = _data_and_properties("tf", args, 3)
    if len(data) < 2:
        only = data[0] if data else np.zeros((0, 0))
        return _with_properties(ctx, to_transfer(system("tf", only)), facts, [])
    num, den = channels_of(data[0]), channels_of(data[1])
    if den.shape != num.shape and den.size == 1:
        den = rational.channels([[den[0, 0]] * num.shape[1] for _ in range(num.shape[0])])
    if den.shape != num.shape or not all(np.any(d) for d in den.flat):
        text = "Every numerator needs a denominator that is not zero."
        raise MatlabError("Control:ltiobject:tf1", text)
    return _with_properties(ctx, TransferFunction(num, den), facts, data[2:])


@builtin(
    "filt",
    words="",
    category=_FAMILY,
    signatures=("sys = filt(num, den)", "sys = filt(num, den, Ts)"),
    cases=("isequal(filt([1 2], [1 0.5]).num{1}, [1 2])",),
    see=("tf",),
)
def filt(num: Value, den: Value, ts: Value = -1.0) -> Value:
    """A discrete transfer function by powers of the delay ``z^-1``."""
    n, d = channels_of(num), channels_of(den)
    for k in np.ndindex(n.shape):
        size = max(n[k].size, d[k].size)
        n[k], d[k] = (np.pad(v, (0, size - v.size)) for v in (n[k], d[k]))
    made = TransferFunction(n, d, real_number(ts))
    made.facts = {"Variable": "z^-1"}
    return made


@builtin(
    "zpk",
    category=_FAMILY,
    least=1,
    signatures=("sys = zpk(z, p, k)", "sys = zpk(z, p, k, Ts)", "s = zpk('s')", "sys = zpk(other)"),
    cases=("isequal(zpk([], [-1 -2], 3).K, 3)", "dcgain(zpk(-1, [-2 -3], 6)) == 1"),
    see=("tf", "ss", "pole", "zero"),
)
def zpk(ctx: CallContext, *args: Value) -> Value:
    """A system by its zeros, poles and gain."""
    if args and is_text_scalar(args[0]):
        letter, ts = _letter(args[0], list(args[1:]), "zpk")
        made = ZeroPoleGain(
            rational.channels([[np.zeros(1)]]),
            rational.channels([[np.zeros(0)]]),
            np.ones((1, 1)),
            ts,
        )
        made.facts = {"Variable": letter}
        return made
    data, facts = _data_and_properties("zpk", args, 4)
    if len(data) == 1:
        return _with_properties(ctx, to_roots(system("zpk", data[0])), facts, [])
    if len(data) < 3:
        text = "Zeros, poles and a gain must be given."
        raise MatlabError("Control:zpk:InvalidSyntax", text)
    k = np.atleast_2d(np.asarray(as_array(data[2]), dtype=np.float64))
    z, p = channels_of(data[0]), channels_of(data[1])
    if not z.shape == p.shape == k.shape:
        raise MatlabError("Control:ltiobject:zpk1", "Zeros, poles and gains do not match in size.")
    return _with_properties(ctx, ZeroPoleGain(z, p, k), facts, data[3:])


@builtin(
    "ss",
    category=_FAMILY,
    least=1,
    signatures=(
        "sys = ss(A, B, C, D)",
        "sys = ss(A, B, C, D, Ts)",
        "sys = ss(other)",
        "sys = ss(other, 'minimal')",
    ),
    cases=("dcgain(ss(-2, 1, 4, 0)) == 2", "order(ss(tf(1, [1 2 3]))) == 2"),
    see=("tf", "zpk", "ssdata", "lqr"),
)
def ss(ctx: CallContext, *args: Value) -> Value:
    """A system in state space: ``x' = A x + B u``, ``y = C x + D u``."""
    data, facts = (
        _data_and_properties("ss", args, 5) if not _minimal(args) else (list(args[:1]), {})
    )
    if len(data) == 1:
        made = to_states(system("ss", data[0]))
        if _minimal(args):
            from app.toolboxes.control.reduction import minimal

            made = minimal(made, 1.5e-8)
        return _with_properties(ctx, made, facts, [])
    if len(data) < 4:
        raise MatlabError("Control:ss:InvalidSyntax", "The four matrices A, B, C and D are needed.")
    a, b, c, d = _fitting_matrices([_real(v) for v in data[:4]])
    return _with_properties(ctx, StateSpace(a, b, c, d), facts, data[4:])


def _minimal(args: tuple[Value, ...]) -> bool:
    return len(args) == 2 and is_text_scalar(args[1]) and text_of(args[1]).startswith("min")


def _real(v: Value) -> Array:
    return np.atleast_2d(np.asarray(as_array(v), dtype=np.float64))


def _fitting_matrices(matrices: list[Array]) -> list[Array]:
    """The matrices, a scalar D spread over all channels; their sizes must fit."""
    a, b, c, d = matrices
    n = a.shape[0]
    b = b if b.size else np.zeros((n, 0 if n else d.shape[1]))  # no inputs, or no states
    c = c if c.size else np.zeros((0 if n else d.shape[0], n))
    if d.shape != (c.shape[0], b.shape[1]) and d.size <= 1 and not np.any(d):
        d = np.zeros((c.shape[0], b.shape[1]))
    if (
        a.shape != (n, n)
        or b.shape[0] != n
        or c.shape[1] != n
        or (d.shape != (c.shape[0], b.shape[1]))
    ):
        text = "The sizes of the matrices A, B, C and D do not fit together."
        raise MatlabError("Control:ltiobject:ss1", text)
    return [a, b, c, d]


@builtin(
    "pid",
    category=_FAMILY,
    signatures=("C = pid(Kp, Ki, Kd)", "C = pid(Kp, Ki, Kd, Tf)", "C = pid(Kp, Ki, Kd, Tf, Ts)"),
    cases=("isequal(pid(2, 3).num{1}, [2 3])", "C = pid(1, 2, 3); isequal(C.num{1}, [3 1 2])"),
    see=("tf", "feedback"),
)
@takes(*[NUMBERS & SCALAR] * 5)
def pid(
    kp: Value = 1.0, ki: Value = 0.0, kd: Value = 0.0, tf_: Value = 0.0, ts: Value = 0.0
) -> Value:
    """A controller ``Kp + Ki/s + Kd s/(Tf s + 1)`` as a transfer function.

    In discrete time both the integral and the derivative are by forward Euler.
    """
    from app.toolboxes.control.system_arithmetic import plus, times

    p, i, d, f, step = (real_number(v) for v in (kp, ki, kd, tf_, ts))
    made: Lti = _fraction([p], [1.0], step)
    if i:
        made = plus(
            made, _fraction([i * step] if step else [i], [1.0, -1.0 if step else 0.0], step)
        )
    if d:
        low = [f, step - f] if step else [f, 1.0]
        made = plus(made, _fraction([d, -d] if step else [d, 0.0], low, step))
    return times(gain(np.ones((1, 1))), made)


@builtin(
    "pidstd",
    category=_FAMILY,
    signatures=("C = pidstd(Kp, Ti, Td, N)", "C = pidstd(Kp, Ti, Td, N, Ts)"),
    cases=(
        "C = pidstd(2, 4, 3); D = pid(2, .5, 6); isequal(C.num, D.num)",
        "C = pidstd(2, 4, 3, 10); isequal(C.den{1}, [.3 1 0])",
    ),
    see=("pid",),
)
@takes(NUMBERS & SCALAR, _TIME, NUMBERS & SCALAR, _TIME)
def pidstd(
    kp: Value = 1.0, ti: Value = np.inf, td: Value = 0.0, n: Value = np.inf, ts: Value = 0.0
) -> Value:
    """A controller ``Kp (1 + 1/(Ti s) + Td s/(Td/N s + 1))`` as a transfer function."""
    p, i, d, divisor = (real_number(v) for v in (kp, ti, td, n))
    return pid(p, p / i, p * d, d / divisor, ts)


def _fraction(num: list[float], den: list[float], ts: float) -> TransferFunction:
    return TransferFunction(
        rational.channels([[np.array(num)]]), rational.channels([[np.array(den)]]), ts
    )


@builtin(
    "rss",
    category=_FAMILY,
    signatures=("sys = rss(n)", "sys = rss(n, outputs, inputs)"),
    cases=("isstable(rss(4, 2, 1))", "isequal(size(rss(3, 2, 1)), [2 1])"),
    see=("ss", "drss"),
)
@takes(COUNT, COUNT, COUNT)
def rss(ctx: CallContext, n: Value = 1.0, outputs: Value = 1.0, inputs: Value = 1.0) -> Value:
    """A random stable system in state space."""
    a, b, c, d = _random(ctx, int_of(n), int_of(outputs), int_of(inputs))
    shift = np.abs(stoppable.eigvals(a)).max(initial=0) + 0.1
    return StateSpace(a - shift * np.eye(int_of(n)), b, c, d)


@builtin(
    "drss",
    category=_FAMILY,
    signatures=("sys = drss(n)", "sys = drss(n, outputs, inputs)"),
    cases=("isstable(drss(4))",),
    see=("ss", "rss"),
)
@takes(COUNT, COUNT, COUNT)
def drss(ctx: CallContext, n: Value = 1.0, outputs: Value = 1.0, inputs: Value = 1.0) -> Value:
    """A random stable system in discrete time."""
    a, b, c, d = _random(ctx, int_of(n), int_of(outputs), int_of(inputs))
    return StateSpace(
        0.9 * a / max(np.abs(stoppable.eigvals(a)).max(initial=0), 1e-9), b, c, d, -1.0
    )


def _random(ctx: CallContext, n: int, outputs: int, inputs: int) -> Matrices:
    from app.engine.values.random_stream import stream_of

    draw = stream_of(ctx).draw
    made = [draw("normal", s, np.dtype(np.float64)) for s in ((n, n), (n, inputs), (outputs, n))]
    return made[0], made[1], made[2], np.zeros((outputs, inputs))
