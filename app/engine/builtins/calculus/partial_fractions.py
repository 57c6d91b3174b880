"""Partial fractions of quotients of polynomials."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FINITE, NONNEGATIVE, NUMBER, NUMBERS, optional, takes
from app.engine.builtins.calculus.polynomials import coefficients
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Array, Value, canonical, numel
from app.errors import MatlabError

_FAMILY = "polynomials"
_NEAR = 1e-3
"""Poles nearer than this share of their magnitude are one pole (at 0: than this)."""


@builtin(
    "mpoles",
    category=_FAMILY,
    signatures=(
        "[m, n] = mpoles(p)",
        "[m, n] = mpoles(p, tol)",
        "[m, n] = mpoles(p, tol, reorder)",
    ),
    cases=(
        "[m, n] = mpoles([2 3 1 1 2]); isequal(m, [1; 1; 2; 1; 2]) && isequal(n, [2; 1; 5; 3; 4])",
        "isequal(mpoles([0 0], 0.01), [1; 2])",
        "[~, n] = mpoles([1 3 2], 0.1, 0); isequal(n, [1; 2; 3])",
    ),
    see=("residue", "roots"),
)
@takes(NUMBERS & FINITE, optional(NUMBER & NONNEGATIVE), NUMBERS)
def mpoles(p: Value, tol: Value | None = None, reorder: Value | None = None) -> Value:
    """Which power of its pole each of some poles is, the largest first, and the order of them."""
    near = float(coefficients(tol)[0].real) if tol is not None and numel(tol) else _NEAR
    by_size = reorder is None or not numel(reorder) or bool(coefficients(reorder)[0])
    powers: list[float] = []
    order: list[float] = []
    for group in _groups(coefficients(p), near, by_size=by_size):
        powers += range(1, len(group) + 1)
        order += [k + 1 for k in group]
    return _column(np.array(powers, float)), _column(np.array(order, float))


@builtin(
    "residue",
    words="",
    category=_FAMILY,
    signatures=(
        "[r, p, k, e] = residue(b, a)",
        "[b, a] = residue(r, p, k)",
        "[b, a] = residue(r, p, k, e)",
    ),
    cases=(
        "norm(residue([5 -5], [1 -3 2]) - [5; 0]) < 1e-12",
        "[r, p, k, e] = residue(1, [1 10 25]); isequal(e, [1; 2]) && norm(r - [0; 1]) < 1e-12",
        "[~, ~, ~, e] = residue(1, [1 10 25]); isa(e, 'double')",
        "norm(residue(1, [1 3e-3 2e-6]) - [-1000; 1000]) < 1e-6",
        "[b, a] = residue([1 2 3], [-1 -1 -2], [], [1 2 1]); norm(b - [4 11 9]) < 1e-12",
    ),
    see=("deconv", "roots", "mpoles"),
)
def residue(
    ctx: CallContext, a: Value, b: Value, c: Value | None = None, e: Value | None = None
) -> Value:
    """Partial fractions of a quotient of polynomials, and back again with three or four inputs.

    E says which power of its pole each fraction has.
    """
    if c is not None:
        octave = bool(getattr(ctx.settings, "octave", False))
        return _quotient(coefficients(a), coefficients(b), coefficients(c), e, trim=octave)
    top, low = (np.trim_zeros(coefficients(v), "f") for v in (a, b))
    if low.size == 0:
        raise MatlabError("MATLAB:residue:zeroDenominator", "The denominator must not be zero.")
    direct, rest = np.polydiv(top, low) if top.size >= low.size else (np.zeros(0), top)
    poles = stoppable.roots(low)
    found: list[Array] = []
    powers: list[float] = []
    places: list[Array] = []
    groups = [np.asarray(poles[g]) for g in _groups(poles, _NEAR)]
    for k, group in enumerate(stoppable.heeding(groups, every=1)):
        others = [p for j, g in enumerate(groups) if j != k for p in np.full(g.size, g.mean())]
        at = group.mean()
        lower = low[0] * np.poly(others) if others else low[:1]
        series = _ratio(
            _taylor_coefficients(rest, at, group.size), _taylor_coefficients(lower, at, group.size)
        )
        found.append(series[::-1])
        places.append(np.full(group.size, at))
        powers += range(1, group.size + 1)
    r, p = (np.concatenate(v) if v else np.zeros(0) for v in (found, places))
    k_ = _row(direct) if direct.size and np.any(direct) else EMPTY
    return (
        _column(np.real_if_close(r)),
        _column(np.real_if_close(p)),
        k_,
        _column(np.array(powers, float)),
    )


def _row(a: Array) -> Value:
    return canonical(np.asarray(a).reshape(1, -1))


def _column(a: Array) -> Value:
    return canonical(a.reshape(-1, 1)) if a.size else np.zeros((0, 1))


def _groups(poles: Array, near: float, *, by_size: bool = True) -> Iterator[list[int]]:
    """The places of poles that are one, group by group, the largest first."""
    left = list(np.argsort(-np.abs(poles), kind="stable")) if by_size else list(range(poles.size))
    while left:
        first = poles[left[0]]
        limit = near * abs(first) if first else near
        group = [k for k in left if k == left[0] or abs(poles[k] - first) <= limit]
        left = [k for k in left if k not in group]
        yield [int(k) for k in group]


def _taylor_coefficients(p: Array, x: complex, count: int) -> Array:
    """The first coefficients of the polynomial in powers of ``s - x``."""
    made = np.zeros(count, np.result_type(p, x, float))
    rest = np.asarray(p)
    for k in range(min(count, p.size)):
        rest, remainder = np.polydiv(rest, [1.0, -x]) if rest.size > 1 else (np.zeros(1), rest)
        made[k] = remainder[-1] if remainder.size else 0.0
    return made


def _ratio(top: Array, low: Array) -> Array:
    """The quotient of two power series, as far as they go."""
    made = np.zeros(top.size, np.result_type(top, low))
    for k in range(top.size):
        made[k] = (top[k] - made[:k] @ low[k:0:-1]) / low[0]
    return made


def _quotient(r: Array, p: Array, k: Array, e: Value | None, *, trim: bool) -> Value:
    """The quotient of polynomials that the fractions and the direct terms sum up to."""
    if r.size != p.size:
        raise MatlabError("MATLAB:residue:sizes", "There must be one residue for each pole.")
    powers = np.zeros(p.size)
    for group in _groups(p, _NEAR):
        powers[group] = np.arange(1, len(group) + 1)
    if e is not None:
        powers = coefficients(e).real
    if powers.size != p.size:
        raise MatlabError("MATLAB:residue:sizes", "There must be one power for each pole.")
    low = np.poly(p)
    top = np.zeros(p.size, np.result_type(r, p, float))
    for value, pole, power in zip(r, p, powers, strict=True):
        nearest = np.argsort(np.abs(p - pole), kind="stable")
        term = np.poly(np.delete(p, nearest[: int(power)]))
        top = np.polyadd(top, value * np.atleast_1d(term))
    if k.any():
        top = np.polyadd(top, np.convolve(k, low))
    top, low = np.real_if_close(top), np.real_if_close(low)
    return _row(np.trim_zeros(top, "f") if trim and top.any() else top), _row(low)
