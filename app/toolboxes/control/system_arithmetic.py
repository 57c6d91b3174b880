"""Sums, products, quotients, blocks and feedback of systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.declarations.class_methods import add_operators
from app.engine.values import Value, as_array
from app.errors import MatlabError
from app.toolboxes.control import rational
from app.toolboxes.control.conversions import (
    gain,
    like,
    system,
    to_states,
    to_transfer,
)
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.systems import StateSpace, TransferFunction


def operate(operator: str, args: tuple[Value, ...]) -> Value:
    """An operator with a system among its operands."""
    if operator in ("horzcat", "vertcat"):
        return joined(operator, [system(operator, a) for a in args])
    if operator in ("mpower", "power"):
        return power(system(operator, args[0]), int(np.asarray(as_array(args[1])).flat[0]))
    found = _UNARY.get(operator) if len(args) == 1 else None
    if found is not None:
        return found(system(operator, args[0]))
    pair = _BINARY.get(operator)
    if pair is None or len(args) != 2:
        return NotImplemented
    return pair(*common(*(system(operator, a) for a in args)))


def common(a: Lti, b: Lti) -> tuple[Lti, Lti]:
    """Both in the richer form, at one sample time."""
    static = [
        isinstance(s, TransferFunction) and all(p.size == 1 for p in (*s.num.flat, *s.den.flat))
        for s in (a, b)
    ]
    if a.ts != b.ts and not any(static):
        text = "The sampling times of the systems must agree."
        raise MatlabError("Control:combination:SampleTimeMismatch", text)
    ts = b.ts if static[0] else a.ts
    kind = a if a.rank >= b.rank else b
    pair = like(kind, a), like(kind, b)
    for s in pair:
        if s.ts != ts:
            s.ts = ts
    return pair


def _sizes(a: Lti, b: Lti, *, inner: bool) -> None:
    if (a.io[1] != b.io[0]) if inner else a.io != b.io:
        text = "The numbers of inputs and outputs of the systems do not fit."
        raise MatlabError("Control:combination:IOSizeMismatch", text)


def plus(a: Lti, b: Lti) -> Lti:
    """Outputs added; one channel is added to every channel of the other."""
    a, b = _in_all_channels(a, b), _in_all_channels(b, a)
    _sizes(a, b, inner=False)
    if a.delay != b.delay:
        text = "Systems with different dead times cannot be added; replace them with pade first."
        raise MatlabError("Control:combination:InternalDelay", text)
    if isinstance(a, StateSpace) and isinstance(b, StateSpace):
        from scipy.linalg import block_diag

        return StateSpace(
            block_diag(a.a, b.a).reshape((a.order + b.order,) * 2),
            np.vstack([a.b, b.b]),
            np.hstack([a.c, b.c]),
            a.d + b.d,
            a.ts,
            a.delay,
        )
    s, t = to_transfer(a), to_transfer(b)
    num, den = s.num.copy(), s.den.copy()
    for k in np.ndindex(num.shape):
        num[k], den[k] = rational.fraction_sum(s.num[k], s.den[k], t.num[k], t.den[k])
    return like(a, _with_facts(TransferFunction(num, den, a.ts, a.delay), s, t))


def _with_facts(made: TransferFunction, *sources: Lti) -> TransferFunction:
    made.facts = next((s.facts for s in sources if s.facts), {})
    return made


def _in_all_channels(a: Lti, b: Lti) -> Lti:
    """A single channel in every channel that ``b`` has."""
    if a.io == (1, 1) and b.io != (1, 1):
        return times(times(gain(np.ones((b.io[0], 1))), a), gain(np.ones((1, b.io[1]))))
    return a


def times(a: Lti, b: Lti) -> Lti:
    """``a`` after ``b``."""
    a, b = common(a, b)
    if a.io[1] != b.io[0] and (1, 1) in (a.io, b.io):
        a, b = (
            (_block_diagonal_copies(a, b.io[0]), b)
            if a.io == (1, 1)
            else (a, _block_diagonal_copies(b, a.io[1]))
        )
    _sizes(a, b, inner=True)
    delay = a.delay + b.delay
    if isinstance(a, StateSpace) and isinstance(b, StateSpace):
        top = np.hstack([a.a, a.b @ b.c])
        whole = np.vstack([top, np.hstack([np.zeros((b.order, a.order)), b.a])])
        return StateSpace(
            whole, np.vstack([a.b @ b.d, b.b]), np.hstack([a.c, a.d @ b.c]), a.d @ b.d, a.ts, delay
        )
    s, t = to_transfer(a), to_transfer(b)
    num = np.empty((a.io[0], b.io[1]), dtype=object)
    den = num.copy()
    for i, j in np.ndindex(num.shape):
        num[i, j], den[i, j] = np.zeros(1), np.ones(1)
        for k in range(a.io[1]):
            pair = rational.fraction_product(s.num[i, k], s.den[i, k], t.num[k, j], t.den[k, j])
            num[i, j], den[i, j] = (
                pair if k == 0 else rational.fraction_sum(num[i, j], den[i, j], *pair)
            )
    return like(a, _with_facts(TransferFunction(num, den, a.ts, delay), s, t))


def _block_diagonal_copies(s: Lti, count: int) -> Lti:
    made = s
    for _ in range(count - 1):
        made = appended(made, s)
    return made


def inverse(s: Lti) -> Lti:
    """The system with input and output exchanged."""
    if s.io == (1, 1) and not isinstance(s, StateSpace):
        t = to_transfer(s)
        if not np.any(t.num[0, 0]):
            raise MatlabError("Control:ltiobject:inv1", "The zero system has no inverse.")
        return like(s, _with_facts(TransferFunction(t.den, t.num, s.ts), t))
    m = to_states(s)
    if s.io[0] != s.io[1] or stoppable.matrix_rank(m.d) < s.io[0]:
        text = "The inverse of a system without direct feedthrough is not proper."
        raise MatlabError("Control:ltiobject:inv1", text)
    d = stoppable.inv(m.d)
    return like(s, StateSpace(m.a - m.b @ d @ m.c, m.b @ d, -d @ m.c, d, s.ts))


def negated(s: Lti) -> Lti:
    """The outputs with the other sign."""
    return times(gain(-np.eye(s.io[0])), s)


def power(s: Lti, n: int) -> Lti:
    """Repeated products, of which most are squares."""
    base = inverse(s) if n < 0 else s
    made: Lti = like(s, gain(np.eye(s.io[0])))
    made.ts, made.facts = s.ts, s.facts
    for digit in f"{abs(n):b}":
        made = times(made, made)
        made = times(made, base) if digit == "1" else made
    return made


def transposed(s: Lti) -> Lti:
    """Inputs and outputs exchanged in the matrix of channels."""
    if isinstance(s, StateSpace):
        return StateSpace(s.a.T, s.c.T, s.b.T, s.d.T, s.ts)
    t = to_transfer(s)
    return like(s, TransferFunction(t.num.T, t.den.T, s.ts))


def joined(operator: str, systems: list[Lti]) -> Lti:
    """Outputs added (``[a b]``) or stacked (``[a; b]``)."""
    made = systems[0]
    for s in systems[1:]:
        a, b = common(made, s)
        both = appended(a, b)
        if operator == "horzcat":
            _check_equal_channels(a.io[0], b.io[0])
            made = times(gain(np.hstack([np.eye(a.io[0])] * 2)), both)
        else:
            _check_equal_channels(a.io[1], b.io[1])
            made = times(both, gain(np.vstack([np.eye(a.io[1])] * 2)))
    return made


def _check_equal_channels(a: int, b: int) -> None:
    if a != b:
        text = "The numbers of inputs and outputs of the systems do not fit."
        raise MatlabError("Control:combination:IOSizeMismatch", text)


def appended(a: Lti, b: Lti) -> Lti:
    """Both side by side, with nothing between them."""
    a, b = common(a, b)
    if isinstance(a, StateSpace) and isinstance(b, StateSpace):
        parts = [_diagonal(x, y) for x, y in ((a.a, b.a), (a.b, b.b), (a.c, b.c), (a.d, b.d))]
        return StateSpace(parts[0], parts[1], parts[2], parts[3], a.ts, max(a.delay, b.delay))
    s, t = to_transfer(a), to_transfer(b)
    rows, columns = a.io[0] + b.io[0], a.io[1] + b.io[1]
    num = rational.channels([[np.zeros(1)] * columns for _ in range(rows)])
    den = rational.channels([[np.ones(1)] * columns for _ in range(rows)])
    num[: a.io[0], : a.io[1]], den[: a.io[0], : a.io[1]] = s.num, s.den
    num[a.io[0] :, a.io[1] :], den[a.io[0] :, a.io[1] :] = t.num, t.den
    return like(a, TransferFunction(num, den, a.ts, max(a.delay, b.delay)))


def _diagonal(x: Any, y: Any) -> Any:
    made = np.zeros((x.shape[0] + y.shape[0], x.shape[1] + y.shape[1]))
    made[: x.shape[0], : x.shape[1]], made[x.shape[0] :, x.shape[1] :] = x, y
    return made


def fed_back(a: Lti, b: Lti, sign: float) -> Lti:
    """``a`` with ``b`` in its feedback."""
    a, b = common(a, b)
    if (a.io[1], a.io[0]) != b.io:
        text = "The numbers of inputs and outputs of the systems do not fit."
        raise MatlabError("Control:combination:IOSizeMismatch", text)
    if a.delay or b.delay:
        text = "A loop around dead time is not a rational system; use pade first."
        raise MatlabError("Control:combination:InternalDelay", text)
    if a.io == (1, 1) and not isinstance(a, StateSpace):
        s, t = to_transfer(a), to_transfer(b)
        n1, d1, n2, d2 = s.num[0, 0], s.den[0, 0], t.num[0, 0], t.den[0, 0]
        den = np.polysub(np.convolve(d1, d2), sign * np.convolve(n1, n2))
        made = TransferFunction(
            rational.channels([[np.convolve(n1, d2)]]), rational.channels([[den]]), a.ts
        )
        return like(a, _with_facts(made, s, t))
    return like(a, _loop(to_states(a), to_states(b), sign))


def _loop(a: StateSpace, b: StateSpace, sign: float) -> StateSpace:
    f = stoppable.inv(np.eye(a.io[1]) - sign * b.d @ a.d)
    inner = sign * f @ b.d @ a.c
    outer = sign * f @ b.c
    top = np.hstack([a.a + a.b @ inner, a.b @ outer])
    low = np.hstack([b.b @ (a.c + a.d @ inner), b.a + b.b @ a.d @ outer])
    return StateSpace(
        np.vstack([top, low]),
        np.vstack([a.b @ f, b.b @ a.d @ f]),
        np.hstack([a.c + a.d @ inner, a.d @ outer]),
        a.d @ f,
        a.ts,
    )


_BINARY: dict[str, Callable[[Any, Any], Lti]] = {
    "plus": plus,
    "minus": lambda a, b: plus(a, negated(b)),
    "mtimes": times,
    "times": times,
    "mrdivide": lambda a, b: times(a, inverse(b)),
    "rdivide": lambda a, b: times(a, inverse(b)),
    "mldivide": lambda a, b: times(inverse(a), b),
    "ldivide": lambda a, b: times(inverse(a), b),
}
_UNARY: dict[str, Callable[[Any], Lti]] = {
    "uminus": negated,
    "uplus": lambda s: s,
    "transpose": transposed,
    "ctranspose": transposed,
}


def dead_time(s: Lti) -> Lti:
    """``exp(-T*s)``."""
    t = to_transfer(s)
    num, den = t.num[0, 0], t.den[0, 0]
    if t.io != (1, 1) or den.size != 1 or num.size != 2 or num[1] != 0 or num[0] > 0:
        text = "The exponential of a system must have the form exp(-T*s) with T >= 0."
        raise MatlabError("Control:ltiobject:exp1", text)
    made = gain(np.ones((1, 1)))
    made.delay = float(-num[0] / den[0])
    return made


add_operators("lti", operate)
