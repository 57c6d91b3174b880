"""Definite integrals of functions, adaptively: integral, quadgk, quad, quadl, dblquad and kin."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import (
    ANY,
    BINARY,
    FLOATS,
    NONNEGATIVE,
    NUMBERS,
    REAL,
    SCALAR,
    option_pairs,
    optional,
    real_number,
    takes,
)
from app.engine.builtins.calculus.tiled_integrals import Tiled
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
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

_FAMILY = "integration"
_KNOWN = (
    "abstol",
    "reltol",
    "arrayvalued",
    "waypoints",
    "method",
    "vectorized",
    "maxintervalcount",
    "maxfunevals",
    "singular",
    "failureplot",
    "trace",
)
_LIMIT = NUMBERS & SCALAR & REAL


def _function(ctx: CallContext, f: Value, extra: tuple[Value, ...] = ()) -> Callable[..., Value]:
    target = given_function(ctx, f)
    return lambda *args: ctx.call(target, (*args, *extra), 1)[0]


@cache
def _gauss_kronrod() -> tuple[Array, Array, Array]:
    """Nodes and weights of the 7-point Gauss and 15-point Kronrod pair (QUADPACK's table)."""
    nodes = np.array(
        [
            0.991455371120812639206854697526329,
            0.949107912342758524526189684047851,
            0.864864423359769072789712788640926,
            0.741531185599394439863864773280788,
            0.586087235467691130294144691693013,
            0.405845151377397166906606412076961,
            0.207784955007898467600689403773245,
            0.0,
        ]
    )
    kronrod = np.array(
        [
            0.022935322010529224963732008058970,
            0.063092092629978553290700663189204,
            0.104790010322250183839876322541518,
            0.140653259715525918745189590510238,
            0.169004726639267902826583426598550,
            0.190350578064785409913256402421014,
            0.204432940075298892414161999234649,
            0.209482141084727828012999174891714,
        ]
    )
    gauss = np.array(
        [
            0.129484966168869693270611432679082,
            0.279705391489276667901467771423780,
            0.381830050505118944950369775488975,
            0.417959183673469387755102040816327,
        ]
    )
    full = np.concatenate([-nodes, nodes[-2::-1]])
    weights = np.concatenate([kronrod, kronrod[-2::-1]])
    embedded = np.zeros(15)
    embedded[1::2] = np.concatenate([gauss, gauss[-2::-1]])
    return full, weights, embedded


@lru_cache(maxsize=16)
def _first_panels(count: int) -> tuple[Array, Array]:
    """Where so many panels of one width on [-1, 1] begin and end."""
    edges = np.linspace(-1, 1, count + 1)
    return edges[:-1], edges[1:]


def _transform(f: Callable[[Array], Array], a: float, b: float) -> Any:
    """The integrand on [-1, 1] with endpoint singularities and infinite ends weakened.

    Substitutions as described by Shampine, "Vectorized adaptive quadrature in MATLAB" (2008).
    """
    if math.isfinite(a) and math.isfinite(b):
        half, middle = (b - a) / 4, (b + a) / 2
        return lambda t: f(half * t * (3 - t * t) + middle) * (3 * half * (1 - t * t))
    if math.isfinite(a):
        return lambda t: f(a + ((1 + t) / (1 - t)) ** 2) * (4 * (1 + t) / (1 - t) ** 3)
    if math.isfinite(b):
        return lambda t: f(b - ((1 - t) / (1 + t)) ** 2) * (4 * (1 - t) / (1 + t) ** 3)
    return lambda t: f(t / (1 - t * t)) * ((1 + t * t) / (1 - t * t) ** 2)


def adaptive(
    f: Callable[[Array], Array],
    a: float,
    b: float,
    abs_tol: float,
    rel_tol: float,
    breaks: Array | None = None,
    panels: int = 10,
) -> tuple[Any, float]:
    """Integral and error bound by globally adaptive Gauss-Kronrod quadrature.

    ``f`` takes a row of points and gives a row of values.
    """
    if a == b:
        return 0.0, 0.0
    nodes, kronrod, gauss = _gauss_kronrod()
    g = _transform(f, a, b)
    left, right = _first_panels(panels)
    done: Any = 0.0
    done_error = 0.0
    total, error = done, done_error
    for _ in range(650):
        half = (right - left) / 2
        points = half[:, None] * nodes[None, :] + ((left + right) / 2)[:, None]
        values = np.asarray(g(points.ravel())).reshape(points.shape)
        fine = np.add.reduce(values * kronrod, axis=1) * half
        errors = np.abs(fine - np.add.reduce(values * gauss, axis=1) * half)
        total, error = done + np.add.reduce(fine), done_error + float(np.add.reduce(errors))
        tolerance = max(abs_tol, rel_tol * abs(total))
        if not np.isfinite(total) or error <= tolerance:
            return total, error
        bad = errors > tolerance * half
        done, done_error = done + fine[~bad].sum(), done_error + float(errors[~bad].sum())
        if not bad.any() or bad.sum() > 5000:
            return total, error
        middle = (left[bad] + right[bad]) / 2
        left, right = np.concatenate([left[bad], middle]), np.concatenate([middle, right[bad]])
    return total, error


def _row_integrand(f: Callable[..., Value], name: str) -> Callable[[Array], Array]:
    def evaluate(points: Array) -> Array:
        value = np.asarray(as_array(f(canonical(points.reshape(1, -1)))))
        if value.size == points.size:
            return value.ravel(order="F")
        if value.size == 1:
            text = "Output of the function must be the same size as the input."
            raise MatlabError(f"MATLAB:{name}:UnexpectedSize", text)
        raise MatlabError(f"MATLAB:{name}:UnexpectedSize", "The function gave the wrong size.")

    return evaluate


def _point_integrand(f: Callable[..., Value], name: str) -> Callable[[Array], Array]:
    """What asks the function for one point after the other, as Octave's ``quad`` does."""
    integrand = _row_integrand(f, name)
    return lambda points: np.concatenate([integrand(p) for p in points.reshape(-1, 1)])


def _options(args: tuple[Value, ...], name: str) -> dict[str, Value]:
    given = option_pairs(name, args)
    for key, value in given.items():
        if key not in _KNOWN:
            raise MatlabError(f"MATLAB:{name}:UnknownOption", f"Unknown option '{key}'.")
        if key in ("abstol", "reltol"):
            (FLOATS & SCALAR & REAL & NONNEGATIVE)(name, 5, value)
        if key in ("vectorized", "arrayvalued"):
            (NUMBERS & SCALAR & BINARY)(name, 5, value)
    if "method" in given and text_of(given["method"]).lower() not in ("auto", "tiled", "iterated"):
        raise MatlabError(f"MATLAB:{name}:InvalidMethod", "Unknown method.")
    return given


def _tolerances(given: dict[str, Value]) -> tuple[float, float]:
    return real_number(given.get("abstol", 1e-10)), real_number(given.get("reltol", 1e-6))


@builtin(
    "integral",
    category=_FAMILY,
    signatures=("q = integral(fun, a, b)", "q = integral(fun, a, b, name, value, ...)"),
    cases=(
        "abs(integral(@(x) x.^2, 0, 1) - 1/3) < 1e-12",
        "abs(integral(@(x) exp(-x.^2), -Inf, Inf) - sqrt(pi)) < 1e-9",
    ),
    see=("integral2", "quadgk", "trapz"),
)
def integral(ctx: CallContext, fun: Value, a: Value, b: Value, *options: Value) -> Value:
    """Integral of a function between limits that may be infinite.

    Options: ``AbsTol`` (1e-10), ``RelTol`` (1e-6), ``ArrayValued``, ``Waypoints``.
    """
    given = _options(options, "integral")
    f = _function(ctx, fun)
    low, high = real_number(a), real_number(b)
    abs_tol, rel_tol = _tolerances(given)
    if bool(real_number(given.get("arrayvalued", 0.0))):
        return _array_valued(f, low, high, abs_tol, rel_tol)
    stops = np.asarray(as_array(given.get("waypoints", EMPTY))).ravel()
    single = np.float32 in (as_array(a).dtype, as_array(b).dtype)
    total, _ = _path(_row_integrand(f, "integral"), a, b, stops, abs_tol, min(rel_tol, 1e-9))
    found = np.array([[total]])
    return canonical(
        found.astype(np.complex64 if found.dtype.kind == "c" else np.float32) if single else found
    )


def _array_valued(
    f: Callable[..., Value], a: float, b: float, abs_tol: float, rel_tol: float
) -> Value:
    from scipy.integrate import quad_vec

    shape: tuple[int, ...] = (1, 1)

    def vector(x: float) -> Array:
        nonlocal shape
        value = np.asarray(as_array(f(float(x))))
        shape = value.shape
        return value.ravel(order="F")

    total, _ = quad_vec(vector, a, b, epsabs=abs_tol, epsrel=rel_tol)
    return canonical(np.asarray(total).reshape(shape, order="F"))


@builtin(
    "quadgk",
    category=_FAMILY,
    signatures=("[q, err] = quadgk(fun, a, b)", "[q, err] = quadgk(fun, a, b, name, value, ...)"),
    cases=("abs(quadgk(@(x) 1./sqrt(x), 0, 1) - 2) < 1e-9",),
    see=("integral",),
)
def quadgk(ctx: CallContext, fun: Value, a: Value, b: Value, *options: Value) -> Value:
    """Adaptive Gauss-Kronrod quadrature; also gives an error bound."""
    old = list(itertools.takewhile(lambda v: not is_text_scalar(v), options[:2]))
    if len(options) > 3 and not is_text_scalar(options[0]):
        text = "Additional arguments cannot be passed on; use an anonymous function."
        raise MatlabError("MATLAB:quadgk:ExtraArguments", text)
    given = _options(options[len(old) :] if len(old) < 2 else (), "quadgk")
    for word, value in zip(("abstol", "reltol"), old, strict=False):
        (FLOATS & SCALAR & NONNEGATIVE)("quadgk", 4, value)
        given[word] = value
    integrand = _row_integrand(_function(ctx, fun), "quadgk")
    abs_tol, rel_tol = _tolerances(given)
    stops = np.asarray(as_array(given.get("waypoints", EMPTY))).ravel()
    total, error = _path(integrand, a, b, stops, abs_tol, rel_tol)
    return canonical(np.array([[total]])), error


def _path(
    integrand: Callable[[Array], Array],
    a: Value,
    b: Value,
    stops: Array,
    abs_tol: float,
    rel_tol: float,
) -> tuple[Any, float]:
    """Integral from a to b over the waypoints: straight lines when any is complex."""
    ends = [as_array(v).flat[0] for v in (a, b)]
    edges = [ends[0], *stops, ends[1]]
    if not any(np.iscomplexobj(e) for e in edges):
        pieces = [
            adaptive(integrand, float(p), float(q), abs_tol, rel_tol) for p, q in pairwise(edges)
        ]
        return sum(p[0] for p in pieces), sum(p[1] for p in pieces)
    total, error = 0.0 + 0.0j, 0.0
    for p, q in pairwise(edges):

        def line(t: Array, p: Any = p, q: Any = q) -> Array:
            return np.asarray(integrand(p + (q - p) * t) * (q - p))

        part, bound = adaptive(line, 0.0, 1.0, abs_tol, rel_tol)
        total, error = total + part, error + bound
    return total, error


def _simple(
    ctx: CallContext,
    fun: Value,
    a: Value,
    b: Value,
    tol: Value | None,
    extra: tuple[Value, ...],
    name: str,
) -> Value:
    limit = 1e-6 if tol is None or numel(tol) == 0 else real_number(tol)
    by_points = name == "quad" and ctx.settings.octave
    made = _point_integrand if by_points else _row_integrand
    integrand = made(_function(ctx, fun, extra), name)
    calls = 0

    def counted(x: Array) -> Array:
        nonlocal calls
        calls += x.size
        return integrand(x)

    total, _ = adaptive(counted, real_number(a), real_number(b), min(limit, 1e-10), 1e-10)
    return canonical(np.array([[total]])), float(calls)


@builtin(
    "quad",
    words="",
    category=_FAMILY,
    signatures=("[q, fcnt] = quad(fun, a, b, tol)",),
    cases=("abs(quad(@(x) x.^3, 0, 2) - 4) < 1e-10",),
    see=("integral", "quadl"),
)
def quad(
    ctx: CallContext,
    fun: Value,
    a: Value,
    b: Value,
    tol: Value | None = None,
    trace: Value | None = None,
    *extra: Value,
) -> Value:
    """Integral of a vectorised function; kept for old code, ``integral`` is the newer name."""
    return _simple(ctx, fun, a, b, tol, extra, "quad")


@builtin(
    "quadl",
    category=_FAMILY,
    signatures=("[q, fcnt] = quadl(fun, a, b, tol)",),
    cases=("abs(quadl(@(x) sin(x), 0, pi) - 2) < 1e-10",),
    see=("integral", "quad"),
)
@takes(ANY, ANY, ANY, optional(FLOATS & SCALAR & NONNEGATIVE))
def quadl(
    ctx: CallContext,
    fun: Value,
    a: Value,
    b: Value,
    tol: Value | None = None,
    trace: Value | None = None,
    *extra: Value,
) -> Value:
    """Integral of a vectorised function; kept for old code, ``integral`` is the newer name."""
    return _simple(ctx, fun, a, b, tol, extra, "quadl")


@builtin(
    "quadv",
    category=_FAMILY,
    signatures=("q = quadv(fun, a, b)", "q = quadv(fun, a, b, tol)"),
    cases=("norm(quadv(@(x) [x x^2], 0, 1) - [1/2 1/3]) < 1e-10",),
    see=("integral",),
)
@takes(ANY, ANY, ANY, optional(FLOATS & SCALAR & NONNEGATIVE))
def quadv(
    ctx: CallContext,
    fun: Value,
    a: Value,
    b: Value,
    tol: Value | None = None,
    trace: Value | None = None,
    *extra: Value,
) -> Value:
    """Integral of an array-valued function of a scalar."""
    f = _function(ctx, fun, extra)
    return _array_valued(f, real_number(a), real_number(b), 1e-10, 1e-10)


def _limit(ctx: CallContext, v: Value) -> Callable[..., float]:
    if isinstance(v, FunctionHandle):
        f = _function(ctx, v)
        return lambda *x: real_number(f(*map(float, x)))
    number = real_number(v)
    return lambda *x: number


@builtin(
    "integral2",
    category=_FAMILY,
    signatures=(
        "q = integral2(fun, xmin, xmax, ymin, ymax)",
        "q = integral2(fun, xmin, xmax, ymin, ymax, name, value, ...)",
    ),
    cases=(
        "abs(integral2(@(x,y) x.*y, 0, 1, 0, 2) - 1) < 1e-10",
        "abs(integral2(@(x,y) ones(size(x)), 0, 1, 0, @(x) x) - 0.5) < 1e-10",
        "abs(integral2(@(x,y) 1./sqrt(x.*y), 0, 1, 0, 1) - 4) < 1e-6",
        "abs(integral2(@(x,y) exp(-x.^2-y.^2), -Inf, Inf, -Inf, Inf) - pi) < 1e-8",
    ),
    see=("integral", "integral3"),
)
@takes(ANY, _LIMIT, _LIMIT)
def integral2(
    ctx: CallContext,
    fun: Value,
    xmin: Value,
    xmax: Value,
    ymin: Value,
    ymax: Value,
    *options: Value,
) -> Value:
    """Double integral; the y limits may be functions of x."""
    given = _options(options, "integral2")
    for number, limit in ((4, ymin), (5, ymax)):
        if not isinstance(limit, FunctionHandle):
            _LIMIT("integral2", number, limit)
    f = _function(ctx, fun)

    def values(x: Array, y: Array) -> Array:
        return np.asarray(as_array(f(canonical(x), canonical(y))))

    limits = (real_number(xmin), real_number(xmax), _limit(ctx, ymin), _limit(ctx, ymax))
    iterated = _endless(xmin, xmax, ymin, ymax) or (
        "method" in given and text_of(given["method"]).lower() == "iterated"
    )
    return canonical(np.array([[_plane(ctx, "integral2", values, limits, given, iterated)]]))


def _endless(*limits: Value) -> bool:
    return any(not isinstance(v, FunctionHandle) and math.isinf(real_number(v)) for v in limits)


def _plane(
    ctx: CallContext,
    name: str,
    f: Callable[[Array, Array], Array],
    limits: Any,
    given: dict[str, Value],
    iterated: bool,
) -> Any:
    """The integral of ``f`` over y between functions of x, and x between numbers."""
    a, b, low, high = limits
    abs_tol, rel_tol = _tolerances(given)

    def shaped(x: Array, y: Array) -> Array:
        return np.broadcast_to(f(x, y), y.shape)

    if not iterated:
        found = Tiled(shaped, a, b, low, high, _gauss_kronrod()).run(abs_tol, rel_tol)
        if not found.settled:
            text = "Reached the maximum number of function evaluations (10000). The result fails "
            ctx.warning(f"MATLAB:{name}:maxFunEvalsFail", text + "the global error test.")
        return found.total

    rel_tol = min(rel_tol, 1e-8)  # smooth functions cost no more, and the inner errors add up

    def row(x: float, y: Array) -> Array:
        ys = y.reshape(1, -1)
        return shaped(np.full_like(ys, x), ys).ravel(order="F")

    def inner(x: float) -> Any:
        return adaptive(lambda y: row(x, y), low(x), high(x), abs_tol, rel_tol)[0]

    return adaptive(lambda xs: np.array([inner(float(x)) for x in xs]), a, b, abs_tol, rel_tol)[0]


@builtin(
    "dblquad",
    words="quad quadl",
    category=_FAMILY,
    signatures=(
        "q = dblquad(fun, xmin, xmax, ymin, ymax)",
        "q = dblquad(fun, xmin, xmax, ymin, ymax, tol, method)",
    ),
    cases=("abs(dblquad(@(x,y) x.*y, 0, 1, 0, 2) - 1) < 1e-9",),
    see=("integral2",),
)
def dblquad(
    ctx: CallContext,
    fun: Value,
    xmin: Value,
    xmax: Value,
    ymin: Value,
    ymax: Value,
    tol: Value | None = None,
    method: Value | None = None,
) -> Value:
    """Double integral over a rectangle; kept for old code, ``integral2`` is the newer name.

    ``tol`` is the absolute tolerance (1e-6); the methods are @quad and @quadl.
    """
    f = _function(ctx, fun)
    close = real_number(tol) if tol is not None and numel(tol) else 1e-6
    word = method.name if isinstance(method, FunctionHandle) else "quad"
    if word not in ("quad", "quadl"):
        text = f"dblquad does not integrate with '{word}'; leave the method out."
        raise MatlabError("MATLAB:dblquad:unsupportedMethod", text)

    def inner(y: float) -> Any:
        def row(x: Array) -> Array:
            return np.asarray(as_array(f(canonical(x.reshape(1, -1)), y))).ravel(order="F")

        return adaptive(row, real_number(xmin), real_number(xmax), close * 1e-2, 0.0)[0]

    def outer(ys: Array) -> Array:
        return np.array([inner(float(y)) for y in ys])

    total, _ = adaptive(outer, real_number(ymin), real_number(ymax), close, 0.0)
    return canonical(np.array([[total]]))


@builtin(
    "integral3",
    category=_FAMILY,
    signatures=("q = integral3(fun, xmin, xmax, ymin, ymax, zmin, zmax)",),
    cases=(
        "abs(integral3(@(x,y,z) x+y+z, 0, 1, 0, 1, 0, 1) - 1.5) < 1e-8",
        "abs(integral3(@(x,y,z) x.*y.*z, 0, 1, 0, @(x) x, 0, @(x,y) x.*y) - 1/64) < 1e-8",
    ),
    see=("integral2",),
)
def integral3(
    ctx: CallContext,
    fun: Value,
    xmin: Value,
    xmax: Value,
    ymin: Value,
    ymax: Value,
    zmin: Value,
    zmax: Value,
    *options: Value,
) -> Value:
    """Triple integral; y limits may be functions of x, z limits of x and y."""
    given = _options(options, "integral3")
    f = _function(ctx, fun)
    y_low, y_high, z_low, z_high = (_limit(ctx, v) for v in (ymin, ymax, zmin, zmax))
    iterated = _endless(ymin, ymax, zmin, zmax)

    def over_plane(x: float) -> Any:
        def values(y: Array, z: Array) -> Array:
            return np.asarray(as_array(f(*map(canonical, (np.full_like(z, x), y, z)))))

        limits = (y_low(x), y_high(x), lambda y: z_low(x, y), lambda y: z_high(x, y))
        return _plane(ctx, "integral3", values, limits, given, iterated)

    total, _ = adaptive(
        lambda xs: np.array([over_plane(float(x)) for x in xs]),
        real_number(xmin),
        real_number(xmax),
        *_tolerances(given),
        panels=2,
    )
    return canonical(np.array([[total]]))
