"""Systems as transfer functions, as roots, or in state space."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from app.engine import stoppable
from app.engine.values import Array, NativeObject, Value, as_array, is_numeric_like
from app.errors import MatlabError
from app.toolboxes.control import rational
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.rational import Channels
from app.toolboxes.control.systems import StateSpace, TransferFunction, ZeroPoleGain

_T = TypeVar("_T", bound=Lti)
Matrices = tuple[Array, Array, Array, Array]
"""A, B, C and D."""


def system(name: str, v: Value) -> Lti:
    """A system; numbers are gains."""
    if isinstance(v, Lti):
        return v
    if not isinstance(v, NativeObject) and is_numeric_like(v):
        return gain(np.asarray(as_array(v), dtype=np.float64))
    text = f"The input of '{name}' must be a dynamic system or numbers."
    raise MatlabError(f"Control:{name}:InvalidModel", text)


def gain(k: Array) -> TransferFunction:
    """A matrix of gains."""
    k = np.atleast_2d(k)
    return TransferFunction(
        rational.channels([[np.array([v]) for v in row] for row in k]),
        rational.channels([[np.ones(1) for _ in row] for row in k]),
    )


def to_transfer(s: Lti) -> TransferFunction:
    """As fractions."""
    if isinstance(s, TransferFunction):
        return s
    if isinstance(s, ZeroPoleGain):
        num, den = s.z.copy(), s.p.copy()
        for k in np.ndindex(num.shape):
            num[k] = s.k[k] * rational.real_poly(s.z[k])
            den[k] = rational.real_poly(s.p[k])
        return _with_facts_of(TransferFunction(num, den, s.ts, s.delay), s)
    return to_transfer(to_roots(s))


def to_roots(s: Lti) -> ZeroPoleGain:
    """As zeros, poles and gains."""
    if isinstance(s, ZeroPoleGain):
        return s
    if isinstance(s, TransferFunction):
        z, p, k = s.num.copy(), s.den.copy(), np.zeros(s.io)
        for at in np.ndindex(z.shape):
            z[at], p[at] = stoppable.roots(s.num[at]), stoppable.roots(s.den[at])
            k[at] = np.real(s.num[at][0] / s.den[at][0])
        return _with_facts_of(ZeroPoleGain(z, p, k, s.ts, s.delay), s)
    return _roots_of_states(to_states(s))


def _with_facts_of(made: _T, source: Lti) -> _T:
    made.facts = source.facts
    return made


def _roots_of_states(s: StateSpace) -> ZeroPoleGain:
    z, p, k = np.empty(s.io, dtype=object), np.empty(s.io, dtype=object), np.zeros(s.io)
    for i, j in np.ndindex(s.io):
        one = s.channel([i], [j])
        poles, zeros, k[i, j] = _channel_roots(one)
        z[i, j], p[i, j] = zeros, poles
    return _with_facts_of(ZeroPoleGain(z, p, k, s.ts, s.delay), s)


def _channel_roots(s: StateSpace) -> tuple[Array, Array, float]:
    """Poles, zeros and gain of a system with one input and one output."""
    from scipy.signal import ss2tf

    poles = stoppable.eigvals(s.a) if s.order else np.zeros(0)
    zeros = transmission_zeros(s)
    if s.d[0, 0] != 0 or not s.order:
        return poles, zeros, float(s.d[0, 0])
    relative = s.order - zeros.size
    if relative > 0:
        value = s.c @ np.linalg.matrix_power(s.a, relative - 1) @ s.b
        return poles, zeros, float(value[0, 0])
    num, _ = ss2tf(s.a, s.b, s.c, s.d)
    return poles, zeros, float(rational.trimmed_polynomial(num[0])[0])


def transmission_zeros(s: StateSpace) -> Array:
    """The finite generalised eigenvalues of the system matrix (square systems)."""
    from scipy.linalg import eigvals

    n, (outputs, inputs) = s.order, s.io
    if not n or outputs != inputs:
        return np.zeros(0)
    whole = np.block([[s.a, s.b], [s.c, s.d]])
    part = np.zeros_like(whole)
    part[:n, :n] = np.eye(n)
    alpha, beta = eigvals(whole, part, homogeneous_eigvals=True)
    size = max(1.0, float(np.abs(whole).max()))
    found = alpha[np.abs(beta) > 1e-10 * np.abs(alpha) / size]
    finite: Array = found / beta[np.abs(beta) > 1e-10 * np.abs(alpha) / size]
    finite = finite[np.abs(finite) < 1e7 * size]
    return finite.real if np.allclose(finite.imag, 0, atol=1e-10 * size) else finite


def to_states(s: Lti) -> StateSpace:
    """In state space."""
    if isinstance(s, StateSpace):
        return s
    t = to_transfer(s)
    for k in np.ndindex(t.num.shape):
        if t.num[k].size > t.den[k].size:
            text = "A transfer function with more zeros than poles has no state-space form here."
            raise MatlabError("Control:ltiobject:ImproperModel", text)
    a, b, c, d = _columns(t.num, t.den)
    return _with_facts_of(StateSpace(a, b, c, d, t.ts, t.delay), s)


def _columns(num: Channels, den: Channels) -> Matrices:
    """One realisation for every input, side by side."""
    from scipy.linalg import block_diag

    outputs, inputs = num.shape
    made = [_column(num[:, j], den[:, j]) for j in range(inputs)]
    a = block_diag(*(m[0] for m in made)).reshape((sum(m[0].shape[0] for m in made),) * 2)
    b = np.zeros((a.shape[0], inputs))
    start = 0
    for j, m in enumerate(made):
        b[start : start + m[0].shape[0], j] = m[1].ravel()
        start += m[0].shape[0]
    return (
        a,
        b,
        np.hstack([m[2] for m in made]).reshape(outputs, -1),
        np.hstack([m[3] for m in made]),
    )


def _column(num: Channels, den: Channels) -> Matrices:
    """The outputs of one input: together where their denominators agree, else one by one."""
    from scipy.linalg import block_diag

    monic = [d / d[0] for d in den]
    if len({m.size for m in monic}) == 1 and np.allclose(np.array(list(monic)), monic[0]):
        rows = [np.r_[np.zeros(d.size - n.size), n / d[0]] for n, d in zip(num, den, strict=True)]
        return _controller(np.array(rows), monic[0])
    parts = [_column(num[i : i + 1], den[i : i + 1]) for i in range(num.size)]
    return (
        block_diag(*(p[0] for p in parts)),
        np.vstack([p[1] for p in parts]),
        block_diag(*(p[2] for p in parts)),
        np.vstack([p[3] for p in parts]),
    )


def _controller(num: Array, den: Array) -> Matrices:
    """The controller canonical form; ``den`` is monic."""
    n = den.size - 1
    a = np.zeros((n, n))
    if n:
        a[0], a[1:, :-1] = -den[1:].real, np.eye(n - 1)
    b = np.eye(n, 1)
    d = num[:, :1].real
    return a, b, num[:, 1:].real - d @ den[None, 1:].real, d


def like(kind: Lti, s: Lti) -> Lti:
    """``s`` in the form that ``kind`` has."""
    if isinstance(kind, StateSpace):
        return to_states(s)
    return to_roots(s) if isinstance(kind, ZeroPoleGain) else to_transfer(s)
