"""Integrals over areas and boxes under their older names, and derivatives of vector fields."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, POSITIVE, SCALAR, WHOLE, takes
from app.engine.builtins.calculus.quadrature import integral2, integral3
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError


@builtin(
    "quad2d",
    category="integration",
    signatures=("[q, bound] = quad2d(fun, a, b, c, d, name, value, ...)",),
    cases=("abs(quad2d(@(x, y) x.*y, 0, 1, 0, 2) - 1) < 1e-10",),
    see=("integral2",),
)
def quad2d(
    ctx: CallContext, fun: Value, a: Value, b: Value, c: Value, d: Value, *options: Value
) -> Value:
    """Double integral between limits, those of y possibly functions of x."""
    for key, value in zip(options[::2], options[1::2], strict=False):
        word = text_of(key).lower() if is_text_scalar(key) else ""
        if word in ("singular", "failureplot"):
            (NUMBERS & SCALAR)("quad2d", 6, value)
        if word == "maxfunevals":
            (NUMBERS & SCALAR & WHOLE & POSITIVE)("quad2d", 6, value)
    return integral2(ctx, fun, a, b, c, d, *options), 1e-10


@builtin(
    "triplequad",
    words="quad quadl",
    category="integration",
    most=9,
    signatures=(
        "q = triplequad(fun, xmin, xmax, ymin, ymax, zmin, zmax)",
        "q = triplequad(fun, xmin, xmax, ymin, ymax, zmin, zmax, tol, method)",
    ),
    cases=("abs(triplequad(@(x, y, z) x+y+z, 0, 1, 0, 1, 0, 1) - 1.5) < 1e-8",),
    see=("integral3",),
)
def triplequad(ctx: CallContext, fun: Value, *limits: Value) -> Value:
    """Triple integral over a box; ``integral3`` is the newer name.

    ``tol`` is the absolute tolerance (1e-6); the methods are @quad and @quadl.
    """
    if len(limits) < 6:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    tol = limits[6] if len(limits) > 6 and numel(limits[6]) else 1e-6
    method = limits[7] if len(limits) > 7 else None
    if isinstance(method, FunctionHandle) and method.name not in ("quad", "quadl"):
        text = f"triplequad does not integrate with '{method.name}'; leave the method out."
        raise MatlabError("MATLAB:triplequad:unsupportedMethod", text)
    return integral3(ctx, fun, *limits[:6], "AbsTol", tol)


def _field(name: str, args: tuple[Value, ...]) -> tuple[list[Array], list[Array]]:
    """Grid lines (x, y, z) and components of a field."""
    arrays = [as_array(v).astype(np.float64) for v in args]
    n = arrays[-1].ndim
    if len(arrays) not in (n, 2 * n):
        raise MatlabError(f"MATLAB:{name}:WrongNumberOfInputs", "Wrong number of inputs.")
    parts = arrays[-n:]
    if len({p.shape for p in parts}) > 1:
        raise MatlabError(f"MATLAB:{name}:InvalidInputs", "The components must match in size.")
    axes = (1, 0, 2)[:n]
    if len(arrays) == n:
        return [np.arange(1.0, parts[0].shape[k] + 1) for k in axes], parts
    lines = [
        g.ravel(order="F")
        if g.size == max(g.shape)
        else np.moveaxis(g, k, 0).reshape(g.shape[k], -1)[:, 0]
        for k, g in zip(axes, arrays, strict=False)
    ]
    return lines, parts


def _slope(part: Array, along: int, lines: list[Array]) -> Array:
    """Derivative of a component by x (0), y (1) or z (2)."""
    return np.asarray(np.gradient(part, lines[along], axis=(1, 0, 2)[along]))


@builtin(
    "divergence",
    least=2,
    category="arrays",
    signatures=(
        "d = divergence(Fx, Fy)",
        "d = divergence(X, Y, Fx, Fy)",
        "d = divergence(X, Y, Z, Fx, Fy, Fz)",
    ),
    cases=("isequal(divergence([1 2; 1 2], [1 1; 2 2]), [2 2; 2 2])",),
    see=("curl",),
)
@takes(NUMBERS, NUMBERS)
def divergence(*args: Value) -> Value:
    """Divergence of a vector field."""
    lines, parts = _field("divergence", args)
    return canonical(np.sum([_slope(p, k, lines) for k, p in enumerate(parts)], axis=0))


@builtin(
    "curl",
    least=2,
    category="arrays",
    signatures=(
        "[curlz, cav] = curl(Fx, Fy)",
        "[curlz, cav] = curl(X, Y, Fx, Fy)",
        "[cx, cy, cz, cav] = curl(X, Y, Z, Fx, Fy, Fz)",
        "cav = curl(...)",
    ),
    cases=(
        "isequal(curl([1 1; 2 2], [1 2; 1 2]), [0 0; 0 0])",
        "[x, y] = meshgrid(-2:2); isequal(curl(x, y, -3*y, 3*x), 3*ones(5))",
        "[x, y] = meshgrid(-2:2); [c, v] = curl(x, y, -3*y, 3*x); isequal(c, 2*v, 6*ones(5))",
        "[x, y, z] = meshgrid(-1:1); [a, b, c, v] = curl(x, y, z, -y, x, z.^0);"
        " isequal(curl(x, y, z, -y, x, z.^0), v) && isequal(c, 2*ones(3, 3, 3))",
    ),
    see=("divergence",),
)
@takes(NUMBERS, NUMBERS)
def curl(*args: Value, nargout: int = 1) -> Value:
    """Curl and angular velocity of a vector field; one output is the angular velocity."""
    lines, parts = _field("curl", args)
    turn = _slope(parts[1], 0, lines) - _slope(parts[0], 1, lines)
    if len(parts) == 2:
        return (canonical(turn), canonical(turn / 2))[1 if nargout < 2 else 0 :]
    x = _slope(parts[2], 1, lines) - _slope(parts[1], 2, lines)
    y = _slope(parts[0], 2, lines) - _slope(parts[2], 0, lines)
    size = np.sqrt(sum((p * p for p in parts), np.zeros(parts[0].shape)))
    along = x * parts[0] + y * parts[1] + turn * parts[2]
    whole = canonical(x), canonical(y), canonical(turn), canonical(along / (2 * size))
    return whole[3 if nargout < 2 else 0 :]
