"""How densities, distribution functions, quantiles and random numbers are computed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.arguments import size_arguments
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, REAL, common_shape
from app.engine.capture import terms
from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.declarations.device_support import HOST, SELF, Custom, DeviceForm, HostOnly
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, host, is_text_scalar, text_of
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.statistics import distribution_forms
from app.toolboxes.statistics.distribution_kinds import BY_NAME, Kind

_FAMILY = "distributions"
_USED = {"pdf": "x", "cdf": "x", "inv": "p"}
CLOSED = frozenset(
    (
        "normpdf",
        "normcdf",
        "norminv",
        "lognpdf",
        "logncdf",
        "logninv",
        "exppdf",
        "expcdf",
        "expinv",
        "unifpdf",
        "unifcdf",
        "unifinv",
        "raylpdf",
        "raylcdf",
        "raylinv",
        "wblpdf",
        "wblcdf",
        "wblinv",
        "evpdf",
        "evcdf",
        "evinv",
        "geocdf",
        "unidpdf",
        "unidcdf",
    )
)
_WORDS = {
    "pdf": "Density",
    "cdf": "Cumulative distribution function",
    "inv": "Inverse of the distribution function",
}


def _numbers(name: str, values: list[Value]) -> tuple[list[Array], Any]:
    for number, v in enumerate(values, 1):
        (NUMBERS & REAL)(name, number, v)
    common_shape(name, *values)
    arrays = [as_array(v) for v in values]
    single = any(a.dtype == np.float32 for a in arrays)
    return [a.astype(np.float64) for a in arrays], np.float32 if single else np.float64


def _parameters_with_defaults(name: str, kind: Kind, given: list[Value]) -> list[Value]:
    needed = len(kind.parameters) - len(kind.defaults)
    if len(given) < needed:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if len(given) > len(kind.parameters):
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    return given + [float(d) for d in kind.defaults[len(given) - needed :]]


def _method(kind: Kind, function: str, upper: bool) -> str:
    if function == "pdf":
        return "pmf" if kind.discrete else "pdf"
    return "sf" if upper else "cdf"


def evaluate(name: str, kind: Kind, function: str, x: Value, args: tuple[Value, ...]) -> Value:
    """``pdf``, ``cdf`` or ``inv`` of a distribution at ``x``; parameters that make no sense
    give NaN.
    """
    upper = bool(args) and is_text_scalar(args[-1])
    if upper and (text_of(args[-1]) != "upper" or function != "cdf"):
        raise MatlabError(f"stats:{name}:UpperTailProblem", "The tail must be 'upper'.")
    given = _parameters_with_defaults(name, kind, list(args[:-1] if upper else args))
    (points, *parameters), dtype = _numbers(name, [x, *given])
    if function == "inv":
        found = kind.quantile(points, parameters)
    else:
        found = np.asarray(kind.value(_method(kind, function, upper), parameters, points))
    if function == "pdf":  # exp(Inf - Inf) on the way to zero
        found = np.where(np.isinf(points) & ~_senseless(kind, parameters), 0.0, found)
    if kind.discrete and function == "inv":
        found = np.maximum(found, kind.value("support", parameters)[0])
    found = kind.at_zero_shape(function, upper, points, parameters, found)
    return canonical(found.astype(dtype))


def _senseless(kind: Kind, parameters: list[Array]) -> Array:
    """Where parameters make no sense: the distribution function is NaN."""
    return np.asarray(np.isnan(kind.value("cdf", parameters, 0.0)))


def random_numbers(ctx: CallContext, name: str, kind: Kind, args: tuple[Value, ...]) -> Value:
    """Random numbers of the session's stream with a distribution."""
    count, args = len(kind.parameters), tuple(map(host, args))
    if len(args) < count:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    parameters, dtype = _numbers(name, list(args[:count]))
    shape = np.broadcast_shapes(*(p.shape for p in parameters))
    if len(args) > count:
        shape = size_arguments.shape_of(args[count:])
        size_arguments.check_room(shape, np.dtype(dtype).itemsize)
    elif len(shape) < 2:
        shape = (1, 1)
    if Session.is_active and math.prod(shape) >= Limits.capture:
        found = _captured_numbers(ctx, name, args[:count], shape)
        if found is not None:
            return found
    draw = stream_of(ctx).draw
    if kind.scipy == "norm":
        mu, sigma = parameters
        found = mu + np.where(sigma < 0, np.nan, sigma) * draw("normal", shape, mu.dtype)
    else:
        found = kind.quantile(draw("uniform", shape, np.dtype(np.float64)), parameters)
    return canonical(np.asarray(found).astype(dtype))


def _inverse(name: str) -> str:
    """The quantile function of the distribution whose random numbers a function draws."""
    return f"{name.removesuffix('rnd')}inv"


def _captured_numbers(
    ctx: CallContext, name: str, parameters: tuple[Value, ...], shape: tuple[int, ...]
) -> Value | None:
    """Many numbers from lazy ones of the same stream; None where there is no closed formula."""
    if not all(type(p) is float for p in parameters):
        return None
    size = np.array([shape], dtype=np.float64)
    if name == "normrnd":
        mu, sigma = parameters
        drawn = ctx.call("randn", (size,))[0]
        scaled = ctx.call("times", (sigma if as_array(sigma) >= 0 else math.nan, drawn))[0]
        return ctx.call("plus", (mu, scaled))[0]
    if _inverse(name) not in CLOSED:
        return None
    return ctx.call(_inverse(name), (ctx.call("rand", (size,))[0], *parameters))[0]


def _forms(name: str, kind: Kind, function: str) -> tuple[str, ...]:
    given = ", ".join((_USED[function], *kind.parameters))
    upper = (f"p = {name}({given}, 'upper')",) if function == "cdf" else ()
    return (f"y = {name}({given})", *upper)


def _form(name: str, kind: Kind) -> DeviceForm:
    """The device form of what has a closed formula."""
    if name not in CLOSED:
        return HostOnly("its values come from series and continued fractions of SciPy")

    def form(args: tuple[Value, ...], nargout: int) -> Any:
        defaults = tuple(float(d) for d in kind.defaults)
        found = distribution_forms.distribution_value(
            name, len(kind.parameters), defaults, args, nargout
        )
        return terms.values(found)

    return Custom(form)


def _declare(name: str, kind: Kind, function: str, cases: tuple[str, ...]) -> None:
    def call(x: Value, *args: Value) -> Value:
        return evaluate(name, kind, function, x, args)

    builtin(
        name,
        category=_FAMILY,
        signatures=_forms(name, kind, function),
        cases=cases,
        device=_form(name, kind),
        text=f"{_WORDS[function]} of the {kind.words} distribution.",
    )(call)


def declare_pdf(name: str, kind: Kind, *cases: str) -> None:
    """Declare a density such as ``normpdf``."""
    _declare(name, kind, "pdf", cases)


def declare_cdf(name: str, kind: Kind, *cases: str) -> None:
    """Declare a distribution function such as ``normcdf``."""
    _declare(name, kind, "cdf", cases)


def declare_inv(name: str, kind: Kind, *cases: str) -> None:
    """Declare a quantile function such as ``norminv``."""
    _declare(name, kind, "inv", cases)


def declare_rnd(name: str, kind: Kind, *cases: str) -> None:
    """Declare random numbers such as ``normrnd``."""

    def call(ctx: CallContext, *args: Value) -> Value:
        return random_numbers(ctx, name, kind, args)

    given = ", ".join(kind.parameters)
    builtin(
        name,
        category=_FAMILY,
        cases=cases,
        device=SELF if name == "normrnd" or _inverse(name) in CLOSED else HOST,
        signatures=(f"r = {name}({given})", f"r = {name}({given}, m, n, ...)"),
        text=f"Random numbers with the {kind.words} distribution.",
    )(call)


def declare_stat(name: str, kind: Kind, *cases: str) -> None:
    """Declare mean and variance such as ``normstat``."""

    def call(*args: Value) -> Value:
        parameters, _ = _numbers(name, _parameters_with_defaults(name, kind, list(args)))
        mean, variance = kind.value("stats", parameters)
        return canonical(np.atleast_2d(mean)), canonical(np.atleast_2d(variance))

    builtin(
        name,
        category=_FAMILY,
        cases=cases,
        signatures=(f"[m, v] = {name}({', '.join(kind.parameters)})",),
        text=f"Mean and variance of the {kind.words} distribution.",
    )(call)


def _kind_named(name: Value) -> Kind:
    word = text_of(name).lower() if is_text_scalar(name) else ""
    if word not in BY_NAME:
        text = f"Unrecognized distribution name: '{word}'."
        raise MatlabError("stats:internal:getDistribution:UnrecognizedName", text)
    return BY_NAME[word]


@builtin(
    "pdf",
    category=_FAMILY,
    signatures=("y = pdf(name, x, A, ...)",),
    cases=("pdf('Normal', 0, 0, 1) == normpdf(0)",),
    see=("cdf", "icdf"),
)
def pdf(name: Value, x: Value, *args: Value) -> Value:
    """Density of a distribution chosen by name."""
    return evaluate("pdf", _kind_named(name), "pdf", x, args)


@builtin(
    "cdf",
    category=_FAMILY,
    signatures=("p = cdf(name, x, A, ...)",),
    cases=("cdf('exp', 0, 2) == 0",),
    see=("pdf", "icdf"),
)
def cdf(name: Value, x: Value, *args: Value) -> Value:
    """Distribution function of a distribution chosen by name."""
    return evaluate("cdf", _kind_named(name), "cdf", x, args)


@builtin(
    "icdf",
    category=_FAMILY,
    signatures=("x = icdf(name, p, A, ...)",),
    cases=("abs(icdf('Normal', 0.5, 3, 1) - 3) < eps",),
    see=("pdf", "cdf"),
)
def icdf(name: Value, p: Value, *args: Value) -> Value:
    """Quantiles of a distribution chosen by name."""
    return evaluate("icdf", _kind_named(name), "inv", p, args)


@builtin(
    "random",
    category=_FAMILY,
    signatures=("r = random(name, A, ..., m, n)",),
    cases=("isequal(size(random('Poisson', 3, 2, 2)), [2 2])",),
    see=("rand", "randn"),
)
def random(ctx: CallContext, name: Value, *args: Value) -> Value:
    """Random numbers with a distribution chosen by name."""
    return random_numbers(ctx, "random", _kind_named(name), args)
