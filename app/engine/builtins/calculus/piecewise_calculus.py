"""Derivatives and integrals of piecewise polynomials, and Padé's approximation of a delay."""

from __future__ import annotations

import math

import numpy as np

from app.engine.arguments.checks import COUNT, FINITE, NONNEGATIVE, NUMBER, takes, within
from app.engine.builtins.calculus.polynomials import mkpp, unmkpp
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, float_of, int_of

_FAMILY = "polynomials"


def _parts(pp: Value) -> tuple[Value, Array, Value]:
    """Breaks, the table of coefficients and the dimensions."""
    breaks, coefs, _, _, dim = unmkpp(pp)
    return breaks, np.asarray(as_array(coefs), dtype=np.float64), dim


@builtin(
    "ppder",
    category=_FAMILY,
    signatures=("ppd = ppder(pp)", "ppd = ppder(pp, m)"),
    cases=("ppval(ppder(mkpp([0 2], [1 0 0])), 1.5) == 3",),
    see=("ppint", "ppval"),
)
def ppder(pp: Value, m: Value = 1.0) -> Value:
    """Derivative of a piecewise polynomial, m times (Octave's; fnder in toolboxes)."""
    COUNT("ppder", 2, m)
    breaks, table, dim = _parts(pp)
    for _ in range(int_of(m)):
        order = table.shape[1]
        powers = np.arange(order - 1, 0, -1)
        table = table[:, :-1] * powers if order > 1 else np.zeros((table.shape[0], 1))
    return mkpp(breaks, canonical(table), dim)


@builtin(
    "ppint",
    words="",
    category=_FAMILY,
    signatures=("ppi = ppint(pp)", "ppi = ppint(pp, c)"),
    cases=("ppval(ppint(mkpp([0 1 2], [2; 2])), 2) == 4",),
    see=("ppder", "integral"),
)
def ppint(pp: Value, c: Value = 0.0) -> Value:
    """Integral of a piecewise polynomial from its first break, c there (Octave's)."""
    breaks, table, dim = _parts(pp)
    edges = as_array(breaks).ravel().astype(np.float64)
    order, width = table.shape[1], table.shape[0] // (edges.size - 1)
    raised = np.column_stack([table / np.arange(order, 0, -1), np.zeros(len(table))])
    pieces = raised.reshape(width, edges.size - 1, order + 1, order="F")
    steps = np.diff(edges)[None, :, None] ** np.arange(order, -1, -1)
    gained = (pieces * steps).sum(axis=2)
    start = np.cumsum(gained, axis=1)[:, :-1]
    pieces[:, :, -1] = np.column_stack([np.zeros(width), start]) + float_of(c)
    return mkpp(breaks, canonical(pieces.reshape(len(table), order + 1, order="F")), dim)


@builtin(
    "padecoef",
    category=_FAMILY,
    signatures=("[num, den] = padecoef(T)", "[num, den] = padecoef(T, n)"),
    cases=("isequal(padecoef(2), [-1 1])", "numel(padecoef(1, 3)) == 4"),
    see=("polyval",),
)
@takes(NUMBER & NONNEGATIVE & FINITE, COUNT & within(0, 80))
def padecoef(delay: Value, n: Value = 1.0) -> Value:
    """Padé's approximation of a delay T by a ratio of polynomials of degree n."""
    t, degree = float_of(delay), round(float_of(n))
    weights = [
        math.factorial(2 * degree - k)
        * math.factorial(degree)
        / (math.factorial(2 * degree) * math.factorial(k) * math.factorial(degree - k))
        for k in range(degree, -1, -1)
    ]
    below = np.array([w * t**k for w, k in zip(weights, range(degree, -1, -1), strict=True)])
    signs = (-1.0) ** np.arange(degree, -1, -1)
    scale = below[0] or 1.0
    return canonical((signs * below / scale)[None, :]), canonical((below / scale)[None, :])
