"""``fitlm`` and its formulas; ``predict``."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.containers.table_class import Table
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    is_text_scalar,
    text_of,
    texts_of,
)
from app.errors import MatlabError
from app.toolboxes.statistics.linear_model import (
    FittedModel,
    LinearModel,
    Term,
    coefficient_bounds,
)

_FAMILY = "statistics"


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def terms_of(word: str, count: int) -> list[Term]:
    """The terms that a word such as ``interactions`` means."""
    singles: list[Term] = [((k, 1),) for k in range(count)]
    pairs: list[Term] = [((i, 1), (j, 1)) for i, j in combinations(range(count), 2)]
    squares: list[Term] = [((k, 2),) for k in range(count)]
    known = {
        "constant": [],
        "linear": singles,
        "interactions": singles + pairs,
        "purequadratic": singles + squares,
        "quadratic": singles + pairs + squares,
    }
    if word not in known:
        text = f"The model must be a formula or one of: {', '.join(known)}."
        raise MatlabError("stats:classreg:regr:TermsRegression:BadModel", text)
    return [(), *known[word]]


def terms_of_formula(text: str, names: list[str]) -> tuple[list[Term], str]:
    """The terms and the response of ``y ~ x1 + x2:x3 + x4^2 - 1``."""
    response, _, right = text.partition("~")
    made: list[Term] = [()]
    for sign, part in re.findall(r"([+-]?)\s*([\w:*^.]+)", right):
        factors = re.split(r"[:*]", part)
        if part == "1":
            made = [t for t in made if t] if sign == "-" else made
            continue
        new = _products(part, factors, names)
        made = (
            [t for t in made if t not in new]
            if sign == "-"
            else [*made, *(t for t in new if t not in made)]
        )
    return made, response.strip()


def _products(part: str, factors: list[str], names: list[str]) -> list[Term]:
    pieces = []
    for f in factors:
        name, _, power = f.partition("^")
        if name not in names:
            text = f"'{name}' is not a variable of the data."
            raise MatlabError("stats:classreg:regr:LinearFormula:UnknownVariable", text)
        pieces.append((names.index(name), int(power or 1)))
    if "*" in part:
        return [tuple(c) for n in range(1, len(pieces) + 1) for c in combinations(pieces, n)]
    lower: list[Term] = [((k, q),) for k, p in pieces for q in range(1, p)]
    return [*lower, tuple(pieces)]


def _of_table(data: Table, rest: list[Value]) -> tuple[list[str], Array, Array, list[Term]]:
    names = [n for n, c in data.columns.items() if isinstance(c, np.ndarray | float)]
    word = text_of(rest.pop(0)) if len(rest) % 2 and is_text_scalar(rest[0]) else "linear"
    response = names[-1]
    terms = None
    if "~" in word:
        terms, response = terms_of_formula(word, names)
    predictors = [n for n in names if n != response]
    columns = [_real(data.columns[n]).ravel() for n in predictors]
    if terms is not None:
        moved = [predictors.index(n) if n != response else -1 for n in names]
        terms = [tuple((moved[k], p) for k, p in t) for t in terms]
    else:
        terms = terms_of(word, len(predictors))
    used = sorted({k for t in terms for k, _ in t})
    terms = [tuple((used.index(k), p) for k, p in t) for t in terms]
    x = np.column_stack([columns[k] for k in used]) if used else np.zeros((data.height, 0))
    kept = [*(predictors[k] for k in used), response]
    return kept, x, _real(data.columns[response]).ravel(), terms


def observations(data: Value, rest: list[Value]) -> tuple[list[str], Array, Array, list[Term]]:
    """Names, predictors, responses and terms of a call; they are taken from ``rest``.

    Responses of several columns (outcomes and trials) follow each other.
    """
    if isinstance(data, Table):
        return _of_table(data, rest)
    if not rest:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    x, y = _real(data), _real(rest.pop(0)).ravel(order="F")
    x = x.reshape(-1, 1) if x.shape[0] == 1 else x
    names = [*(f"x{k + 1}" for k in range(x.shape[1])), "y"]
    word = text_of(rest.pop(0)) if len(rest) % 2 else "linear"
    formula = "~" in word
    terms = terms_of_formula(word, names)[0] if formula else terms_of(word.lower(), x.shape[1])
    if not x.shape[0] or y.size % x.shape[0] or not y.size:
        raise MatlabError("stats:classreg:regr:InputSizeMismatch", "X and y need the same rows.")
    return names, x, y, terms


@builtin(
    "fitlm",
    category=_FAMILY,
    least=1,
    signatures=(
        "mdl = fitlm(X, y)",
        "mdl = fitlm(X, y, model)",
        "mdl = fitlm(tbl, 'y ~ x1 + x2')",
        "mdl = fitlm(..., 'Weights', w, 'Intercept', tf, 'VarNames', names)",
    ),
    cases=(
        "m = fitlm((1:5)', 2*(1:5)' + 1); norm(m.Coefficients.Estimate - [1; 2]) < 1e-9",
        "m = fitlm(table([1; 2; 3], [2; 4; 7], 'VariableNames', {'a', 'b'}), 'b ~ a'); "
        "abs(predict(m, 4) - 28/3) < 1e-9",
    ),
    see=("regress", "fit", "predict", "glmfit"),
)
def fitlm(data: Value, *args: Value) -> Value:
    """A linear model of data: its coefficients, how good it is, and predictions.

    Models are constant, linear, interactions, purequadratic and quadratic; with a table also
    formulas such as ``'y ~ x1*x2 + x3^2 - 1'``.
    """
    rest = list(args)
    names, x, y, terms = observations(data, rest)
    options = option_pairs("fitlm", rest, "Intercept VarNames Weights")
    if "varnames" in options:
        names = texts_of(options["varnames"])
    if not flag(options, "intercept", True):
        terms = [t for t in terms if t]
    if x.shape[0] != y.size:
        raise MatlabError("stats:classreg:regr:InputSizeMismatch", "X and y need the same rows.")
    weights = _real(options["weights"]).ravel() if "weights" in options else np.ones(y.size)
    keep = np.isfinite(y) & np.all(np.isfinite(x), axis=1)
    return LinearModel(names, terms, x[keep], y[keep], weights[keep])


@builtin(
    "coefCI",
    words="",
    category=_FAMILY,
    signatures=("ci = coefCI(mdl)", "ci = coefCI(mdl, alpha)"),
    cases=("m = fitlm((1:4)', [2; 4; 6.1; 8]); c = coefCI(m); c(2, 1) < 2 && c(2, 2) > 2.02",),
    see=("fitlm",),
)
def coef_ci(ctx: CallContext, mdl: Value, alpha: Value = 0.05) -> Value:
    """Confidence bounds of the coefficients of a fitted model, one row each."""
    if not isinstance(mdl, FittedModel):
        raise undefined_for_class("coefCI", mdl)
    return coefficient_bounds(ctx, (mdl, alpha), 1)


@builtin(
    "predict",
    category=_FAMILY,
    least=1,
    signatures=("y = predict(mdl, X)", "[y, ci] = predict(mdl, X, name, value)"),
    cases=("predict(fitlm((1:3)', (2:4)'), 9) - 10 < 1e-9",),
    see=("fitlm",),
)
def predict(ctx: CallContext, mdl: Value, *args: Value, nargout: int = 1) -> Value:
    """What a fitted model gives for new observations."""
    method = mdl.methods().get("predict") if isinstance(mdl, NativeObject) else None
    if method is None:
        raise undefined_for_class("predict", mdl)
    return method(ctx, (mdl, *args), nargout)
