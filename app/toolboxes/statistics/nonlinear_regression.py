"""Nonlinear regression: nlinfit, nlparci, nlpredci."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import (
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    REAL,
    one_of,
    option_pairs,
    real_number,
)
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    int_of,
    is_text_scalar,
    numel,
)
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import T

_FAMILY = "statistics"


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def model_of(
    ctx: CallContext, f: Value, x: Value, shape: tuple[int, ...]
) -> Callable[[Array], Array]:
    """A model at observations, as a function of its flat coefficients."""
    target = given_function(ctx, f)

    def call(b: Array) -> Array:
        return _real(ctx.call(target, (canonical(b.reshape(shape, order="F")), x), 1)[0]).ravel()

    return call


def jacobian(f: Callable[[Array], Array], b: Array) -> Array:
    """Slopes by the coefficients, by central differences."""
    columns = []
    for k in range(b.size):
        step = 1e-6 * max(abs(float(b[k])), 1e-3)
        up, down = b.copy(), b.copy()
        up[k] += step
        down[k] -= step
        columns.append((f(up) - f(down)) / (2 * step))
    return np.array(columns).T


@builtin(
    "nlinfit",
    category=_FAMILY,
    least=4,
    signatures=(
        "[beta, R, J, CovB, MSE] = nlinfit(X, Y, modelfun, beta0)",
        "beta = nlinfit(X, Y, modelfun, beta0, options, 'Weights', w)",
    ),
    cases=(
        "x = (0:0.5:3)'; b = nlinfit(x, 2*exp(-x), @(b, x) b(1)*exp(-b(2)*x), [1; 2]); "
        "norm(b - [2; 1]) < 1e-6",
    ),
    see=("lsqcurvefit", "fit", "nlparci"),
)
def nlinfit(
    ctx: CallContext, x: Value, y: Value, fun: Value, beta0: Value, *rest: Value
) -> tuple[Value, ...]:
    """Coefficients of a model in the least squares, residuals, slopes, covariance, mean square."""
    from scipy.optimize import least_squares

    (NUMBERS & REAL & NONEMPTY)("nlinfit", 4, beta0)
    start, wanted = _real(beta0), _real(y).ravel()
    named = ("Options", *rest) if rest and not is_text_scalar(rest[0]) else rest
    options = option_pairs("nlinfit", named, "Weights Options")
    tolerances = _iteration(options.get("options"))
    f = model_of(ctx, fun, x, start.shape)
    if f(start.ravel(order="F")).size != wanted.size:
        text = "MODELFUN must return a vector of the same size as Y."
        raise MatlabError("stats:nlinfit:FunctionValueSize", text)
    known = np.isfinite(wanted)
    w = np.sqrt(_real(options["weights"]).ravel()) if "weights" in options else np.ones(wanted.size)
    found = least_squares(
        lambda b: ((f(b) - wanted) * w)[known],
        start.ravel(order="F"),
        x_scale="jac",
        gtol=1e-12,
        **tolerances,
    )
    rest_, slopes = wanted - f(found.x), jacobian(f, found.x)
    mean_square = float(np.sum((rest_ * w)[known] ** 2) / max(int(known.sum()) - start.size, 1))
    weighted = (slopes * w[:, None])[known]
    spread = stoppable.pinv(weighted.T @ weighted) * mean_square
    return (
        canonical(found.x.reshape(start.shape, order="F")),
        column(rest_),
        canonical(slopes),
        canonical(spread),
        mean_square,
        Struct({"Name": "constant"}),
    )


_OF_ITERATION = {"MaxIter": "max_nfev", "TolX": "xtol", "TolFun": "ftol"}


def _iteration(options: Value | None) -> dict[str, float]:
    """What a struct of statset's says of the iteration, for ``least_squares``."""
    found: dict[str, float] = {"xtol": 1e-12, "ftol": 1e-12}
    if options is None or numel(options) == 0:
        return found
    if not isinstance(options, Struct):
        raise MatlabError("stats:nlinfit:InvalidOptions", "OPTIONS must be a struct of statset.")
    if numel(options.fields.get("RobustWgtFun", EMPTY)):
        text = "nlinfit has no robust weights: leave out 'RobustWgtFun'."
        raise MatlabError("stats:nlinfit:UnsupportedOption", text)
    for name, word in _OF_ITERATION.items():
        given = options.fields.get(name, EMPTY)
        if numel(given):
            (NUMBER & POSITIVE)("nlinfit", 5, given)
            found[word] = int_of(given) if name == "MaxIter" else real_number(given)
    return found


def _confidence_factor(alpha: float, freedom: int) -> float:
    return float(T.value("ppf", [np.asarray(freedom)], 1 - alpha / 2))


def _coefficient_covariance(residuals: Array, options: dict[str, Value]) -> Array:
    if "covar" in options:
        return _real(options["covar"])
    slopes = _real(options["jacobian"])
    inner = stoppable.pinv(slopes.T @ slopes)
    return np.asarray(
        inner * float(residuals @ residuals) / max(residuals.size - slopes.shape[1], 1)
    )


def _parsed_options(name: str, rest: tuple[Value, ...], more: str = "") -> dict[str, Value]:
    """Options; a matrix alone is the Jacobian."""
    if rest and not is_text_scalar(rest[0]):
        rest = ("jacobian", rest[0], *(("alpha", rest[1]) if len(rest) > 1 else ()))
    options = option_pairs(name, rest, "Jacobian Covar Alpha" + more)
    if not {"jacobian", "covar"} & set(options):
        raise MatlabError(f"stats:{name}:TooFewInputs", "Give the Jacobian or the covariance.")
    return options


@builtin(
    "nlparci",
    category=_FAMILY,
    least=3,
    signatures=(
        "ci = nlparci(beta, r, 'Jacobian', J)",
        "ci = nlparci(beta, r, 'Covar', S)",
        "ci = nlparci(..., 'Alpha', a)",
    ),
    cases=(
        "x = (1:6)'; y = 2*x + [0.1 -0.1 0.1 -0.1 0.1 -0.1]'; "
        "[b, r, J] = nlinfit(x, y, @(b, x) b*x, 1); c = nlparci(b, r, 'Jacobian', J); "
        "c(1) < 2 && c(2) > 2",
    ),
    see=("nlinfit", "nlpredci"),
)
def nlparci(beta: Value, residuals: Value, *rest: Value) -> Value:
    """Confidence bounds of the coefficients of nlinfit, one row each."""
    options = _parsed_options("nlparci", rest)
    b, r = _real(beta).ravel(), _real(residuals).ravel()
    reach = _confidence_factor(real_number(options.get("alpha", 0.05)), r.size - b.size)
    wide = reach * np.sqrt(np.diag(_coefficient_covariance(r, options)))
    return canonical(np.column_stack([b - wide, b + wide]))


@builtin(
    "nlpredci",
    category=_FAMILY,
    least=5,
    signatures=(
        "[ypred, delta] = nlpredci(modelfun, X, beta, r, 'Jacobian', J)",
        "[ypred, delta] = nlpredci(..., 'PredOpt', opt, 'Alpha', a)",
    ),
    cases=(
        "x = (1:6)'; y = 2*x + [0.1 -0.1 0.1 -0.1 0.1 -0.1]'; f = @(b, x) b*x; "
        "[b, r, J] = nlinfit(x, y, f, 1); [p, d] = nlpredci(f, 4, b, r, 'Jacobian', J); "
        "abs(p - 8) < d",
    ),
    see=("nlinfit", "nlparci"),
)
def nlpredci(
    ctx: CallContext, fun: Value, x: Value, beta: Value, residuals: Value, *rest: Value
) -> Value:
    """Predictions of a fitted model and the half width of their confidence intervals."""
    options = _parsed_options("nlpredci", rest, " PredOpt")
    observed = one_of("nlpredci", "PredOpt", options.get("predopt", "curve"), "curve observation")
    b, r = _real(beta), _real(residuals).ravel()
    f = model_of(ctx, fun, x, b.shape)
    slopes = jacobian(f, b.ravel(order="F"))
    variance = np.einsum("ij,jk,ik->i", slopes, _coefficient_covariance(r, options), slopes)
    if observed == "observation":
        variance = variance + float(r @ r) / max(r.size - b.size, 1)
    reach = _confidence_factor(real_number(options.get("alpha", 0.05)), r.size - b.size)
    return column(f(b.ravel(order="F"))), column(reach * np.sqrt(variance))
