"""What a system is like: poles, zeros, gains, stability, damping, norms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_numeric_like
from app.errors import MatlabError
from app.toolboxes.control.conversions import (
    system,
    to_roots,
    to_states,
    to_transfer,
    transmission_zeros,
)
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.systems import StateSpace

_FAMILY = "control systems"


def poles_of(s: Lti) -> Array:
    """The poles, those of every channel for transfer matrices."""
    if isinstance(s, StateSpace):
        return stoppable.eigvals(s.a) if s.order else np.zeros(0)
    if s.io == (1, 1):
        return np.asarray(to_roots(s).p[0, 0])
    return stoppable.eigvals(to_states(s).a)


def zeros_of(s: Lti) -> Array:
    """The zeros; of several channels the transmission zeros."""
    if s.io == (1, 1):
        return np.asarray(to_roots(s).z[0, 0])
    return transmission_zeros(to_states(s))


def response(s: Lti, points: Array) -> Array:
    """Values at points of the plane, one matrix each: outputs, inputs, points."""
    if isinstance(s, StateSpace):
        made = np.empty((*s.io, points.size), dtype=np.complex128)
        eye = np.eye(s.order)
        for k, p in enumerate(points):
            with np.errstate(all="ignore"):
                made[:, :, k] = s.c @ stoppable.solve(p * eye - s.a, s.b) + s.d
    else:
        t = to_transfer(s)
        made = np.empty((*s.io, points.size), dtype=np.complex128)
        for at in np.ndindex(t.num.shape):
            made[at] = np.polyval(t.num[at], points) / np.polyval(t.den[at], points)
    if s.delay:
        made = made * (points**-s.delay if s.ts else np.exp(-points * s.delay))
    return made


def at_frequencies(s: Lti, w: Array) -> Array:
    """The frequency response."""
    return response(s, np.exp(1j * w * abs(s.ts)) if s.ts else 1j * w)


def declare_question(
    name: str, summary: str, case: str, ask: Callable[[Lti], Value], result: str = "tf"
) -> None:
    """Declare a question about one system."""

    def call(sys: Value) -> Value:
        return ask(system(name, sys))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"{result} = {name}(sys)",),
        text=summary,
        cases=(case,),
        see=("tf", "ss"),
    )(call)


def stable(s: Lti) -> bool:
    """Whether all poles are stable."""
    p = poles_of(s)
    return bool(np.all(np.abs(p) < 1) if s.ts else np.all(p.real < 0))


def _proper(s: Lti) -> bool:
    if isinstance(s, StateSpace):
        return True
    t = to_transfer(s)
    return all(n.size <= d.size for n, d in zip(t.num.flat, t.den.flat, strict=True))


declare_question(
    "pole",
    "Poles of a system, as a column.",
    "isequal(sort(pole(tf(1, [1 3 2]))), [-2; -1])",
    lambda s: column(poles_of(s)),
    "p",
)
declare_question("isstable", "True when all poles are stable.", "~isstable(tf(1, [1 -1]))", stable)
declare_question(
    "issiso", "True for one input and one output.", "issiso(tf(1, [1 1]))", lambda s: s.io == (1, 1)
)
declare_question("isct", "True for continuous time.", "isct(tf(1, [1 1]))", lambda s: not s.ts)
declare_question("isdt", "True for discrete time.", "isdt(tf(1, [1 1], 0.1))", lambda s: bool(s.ts))
declare_question(
    "isproper",
    "True when no channel has more zeros than poles.",
    "~isproper(tf([1 0], 1))",
    _proper,
)
declare_question(
    "order",
    "Number of states of a system.",
    "order(tf(1, [1 2 3])) == 2",
    lambda s: float(to_states(s).order),
    "n",
)
declare_question(
    "tzero",
    "Transmission zeros of a system.",
    "norm(tzero(ss(tf([1 5], [1 2 3]))) + 5) < 1e-9",
    lambda s: column(transmission_zeros(to_states(s))),
    "z",
)


@builtin(
    "zero",
    category=_FAMILY,
    signatures=("[z, gain] = zero(sys)",),
    cases=("zero(tf([1 4], [1 3 2])) == -4", "[z, k] = zero(tf([2 8], [1 3 2])); k == 2"),
    see=("pole", "zpk", "pzmap"),
)
def zero(sys: Value) -> Value:
    """Zeros of a system, as a column, and its gain."""
    s = system("zero", sys)
    k = canonical(to_roots(s).k) if s.io == (1, 1) else canonical(np.zeros((0, 0)))
    return column(zeros_of(s)), k


@builtin(
    "dcgain",
    category=_FAMILY,
    signatures=("k = dcgain(sys)",),
    cases=(
        "dcgain(tf([1 6], [1 2 3])) == 2",
        "dcgain(tf(1, [1 0])) == Inf",
        "isnan(dcgain(tf([1 0], [1 0])))",
    ),
    see=("evalfr", "freqresp"),
)
def dcgain(sys: Value) -> Value:
    """The gain for constant inputs; NaN where a zero meets a pole there (see minreal)."""
    s = system("dcgain", sys)
    if isinstance(s, StateSpace) and s.order:
        middle = s.a - (np.eye(s.order) if s.ts else 0)
        if stoppable.matrix_rank(middle) < s.order:
            s = to_transfer(s)
    with np.errstate(all="ignore"):
        found = response(s, np.array([1.0 if s.ts else 0.0]))[:, :, 0]
    endless = np.where(np.isinf(found.real), found.real, np.inf)  # a number by zero: Inf + NaNi
    real = np.where(np.isinf(found.real) | np.isinf(found.imag), endless, np.nan)
    return canonical(np.where(np.isfinite(found), found.real, real))


@builtin(
    "evalfr",
    category=_FAMILY,
    signatures=("H = evalfr(sys, x)",),
    cases=("evalfr(tf(1, [1 1]), 1) == 0.5",),
    see=("freqresp", "dcgain"),
)
def evalfr(sys: Value, x: Value) -> Value:
    """The value of a system at one point of the complex plane."""
    point = np.asarray(as_array(x)).ravel()
    if point.size != 1:
        raise MatlabError("Control:analysis:evalfr1", "The point must be a scalar.")
    return canonical(response(system("evalfr", sys), point)[:, :, 0])


@builtin(
    "freqresp",
    category=_FAMILY,
    signatures=("[H, wout] = freqresp(sys, w)",),
    cases=("abs(freqresp(tf(1, [1 1]), 1) - 1/(1+1i)) < 1e-15",),
    see=("bode", "evalfr"),
)
def freqresp(sys: Value, w: Value) -> Value:
    """The frequency response: outputs by inputs by frequencies."""
    points = np.asarray(as_array(w), dtype=np.float64).ravel(order="F")
    return canonical(at_frequencies(system("freqresp", sys), points)), column(points)


@builtin(
    "damp",
    category=_FAMILY,
    signatures=("damp(sys)", "[wn, zeta, p] = damp(sys)"),
    cases=("[w, z] = damp(tf(4, [1 2 4])); norm(w - 2) < 1e-12 && norm(z - 0.5) < 1e-12",),
    see=("pole", "pzmap"),
)
def damp(ctx: CallContext, sys: Value, nargout: int = 0) -> Value:
    """Natural frequencies, damping ratios and poles; prints a table without outputs."""
    given = as_array(sys) if is_numeric_like(sys) else np.zeros((0, 0))
    roots = given.shape[1] == 1 and given.size > 1  # a column is of poles
    s = system("damp", 1.0 if roots else sys)
    p = given.ravel() if roots else poles_of(s)
    with np.errstate(all="ignore"):
        q = np.log(p.astype(complex)) / (abs(s.ts) or 1) if s.ts else p
        w = np.abs(q)
        zeta = np.where(w > 0, -np.real(q) / np.where(w > 0, w, 1), -1.0)
    order = np.argsort(w, kind="stable")
    if nargout:
        return column(w[order]), column(zeta[order]), column(p[order])
    heads = ("Pole", "Damping", "Frequency")
    ctx.write(f" \n{heads[0]:^26}{heads[1]:^12}{heads[2]:^14}\n")
    for k in order:
        pole = f"{p[k].real:9.2e}" + (
            f" {'+' if p[k].imag >= 0 else '-'} {abs(p[k].imag):8.2e}i"
            if np.iscomplexobj(p)
            else ""
        )
        ctx.write(f"{pole:^26}{zeta[k]:^12.2e}{w[k]:^14.2e}\n")
    return ()
