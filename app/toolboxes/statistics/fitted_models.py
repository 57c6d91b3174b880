"""``fitglm`` and ``fitnlm``: generalized linear and nonlinear models as objects that predict."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    FunctionHandle,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import CHI2, NORM, STANDARD, F
from app.toolboxes.statistics.generalized_regression import glmfit, glmval, law_of
from app.toolboxes.statistics.linear_fits import observations
from app.toolboxes.statistics.linear_model import (
    FittedModel,
    LeastSquaresModel,
    Term,
    design,
    names_of,
)
from app.toolboxes.statistics.nonlinear_regression import jacobian, model_of, nlinfit

_FAMILY = "statistics"


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


@native_type
class GeneralizedLinearModel(FittedModel):
    """A fitted sum of terms behind a link.

    Attributes:
        terms: what is multiplied with a coefficient.
        law: the distribution of the response.
        link: the link's name.
        deviance: twice how much likelier the data would be under a model of its own for each.
        base: the deviance of the constant model.
        dispersion: how much wider than its law the response spreads.
    """

    class_name = "GeneralizedLinearModel"

    def __init__(
        self, names: list[str], terms: list[Term], x: Array, y: Value, options: dict[str, Value]
    ) -> None:
        self.names, self.terms = names, terms
        self.law, usual = law_of("fitglm", options.get("distribution", "normal"))
        self.link = text_of(options["link"]).lower() if "link" in options else usual
        given: tuple[Value, ...] = ("link", self.link, "constant", "off")
        if "weights" in options:
            given = (*given, "weights", options["weights"])
        table = design(terms, x)
        b, deviance, stats = glmfit(canonical(table), y, self.law, *given)
        ones = canonical(np.ones((x.shape[0], 1)))
        self.base = float(glmfit(ones, y, self.law, *given)[1])
        self.b, self.deviance = _real(b).ravel(), deviance
        self.spread = _real(stats.fields["covb"])
        self.freedom = x.shape[0] - self.b.size
        self.dispersion = float_of(stats.fields["s"]) ** 2
        self.residuals = _real(stats.fields["resid"]).ravel()
        self.linear = table @ self.b
        self.fitted = self.outcome(self.linear)
        self.y = self.fitted + self.residuals

    @property
    def _has_fixed_dispersion(self) -> bool:
        return self.law in ("binomial", "poisson")

    def outcome(self, values: Array) -> Array:
        """The mean response behind the link."""
        return _real(glmval(1.0, column(values), self.link, "constant", "off")).ravel()

    def tails(self, ratio: Array) -> Array:
        """Of the normal law where the dispersion is known, else of Student's."""
        return (
            np.asarray(2 * NORM.value("sf", STANDARD, np.abs(ratio)))
            if self._has_fixed_dispersion
            else super().tails(ratio)
        )

    def reach(self, alpha: float) -> float:
        """Of the normal law where the dispersion is known, else of Student's."""
        if self._has_fixed_dispersion:
            return float(NORM.value("ppf", STANDARD, 1 - alpha / 2))
        return super().reach(alpha)

    def term_names(self) -> list[str]:
        """The terms as text."""
        return names_of(self.terms, self.names)

    def formula(self) -> str:
        """The model as text."""
        words = ["1" if n == "(Intercept)" else n for n in self.term_names()]
        response = self.names[-1] if self.link == "identity" else f"{self.link}({self.names[-1]})"
        return f"{response} ~ {' + '.join(words)}"

    def prediction(self, ctx: CallContext, x: Array) -> tuple[Array, Array]:
        """The sum of the terms, and the terms."""
        table = design(self.terms, x)
        return table @ self.b, table

    def properties(self) -> dict[str, Value]:
        """All properties."""
        fitted = {"Response": column(self.fitted), "LinearPredictor": column(self.linear)}
        return {
            **super().properties(),
            "Deviance": self.deviance,
            "Dispersion": self.dispersion,
            "Distribution": Struct({"Name": self.law.capitalize()}),
            "Link": Struct({"Name": self.link}),
            "Fitted": Table(fitted),
            "Residuals": Table({"Raw": column(self.residuals)}),
        }

    def show(self, name: str, style: Any) -> str:
        """The formula, the coefficients and how good they are."""
        terms = max(self.b.size - (() in self.terms), 1)
        gain = (self.base - self.deviance) / (self.dispersion or 1)
        if self._has_fixed_dispersion:
            word, ratio, tail = "Chi^2", gain, CHI2.value("sf", [np.asarray(terms)], gain)
        else:
            ratio = gain / terms
            shapes = [np.asarray(terms), np.asarray(max(self.freedom, 1))]
            word, tail = "F", F.value("sf", shapes, ratio)
        dispersion = "Dispersion" if self._has_fixed_dispersion else "Estimated Dispersion"
        return (
            f"Generalized linear regression model:\n    {self.formula()}\n"
            f"    Distribution = {self.law.capitalize()}\n\n{self.estimates(style)}\n"
            f"{self.y.size} observations, {self.freedom} error degrees of freedom\n"
            f"{dispersion}: {self.dispersion:.3g}\n"
            f"{word}-statistic vs. constant model: {ratio:.3g}, p-value = {tail:.3g}\n"
        )


@builtin(
    "fitglm",
    category=_FAMILY,
    least=1,
    signatures=(
        "mdl = fitglm(X, y)",
        "mdl = fitglm(X, y, model, 'Distribution', law, 'Link', link)",
        "mdl = fitglm(tbl, 'y ~ x1 + x2', ...)",
        "mdl = fitglm(..., 'BinomialSize', n, 'Weights', w, 'Intercept', tf, 'VarNames', names)",
    ),
    cases=(
        "m = fitglm([0; 0; 1; 1], [1; 1; 4; 4], 'linear', 'Distribution', 'poisson'); "
        "norm(m.Coefficients.Estimate - [0; log(4)]) < 1e-6",
        "m = fitglm((1:4)', [1; 2; 3; 4], 'Distribution', 'binomial', 'BinomialSize', 5); "
        "abs(predict(m, 2.5) - 0.5) < 1e-6",
    ),
    see=("fitlm", "glmfit", "fitnlm", "predict"),
)
def fitglm(data: Value, *args: Value) -> Value:
    """A generalized linear model of data: coefficients, deviance, predictions.

    Laws are normal, binomial, poisson, gamma and inverse gaussian; models are those of fitlm.
    """
    rest = list(args)
    names, x, y, terms = observations(data, rest)
    allowed = "BinomialSize Distribution Intercept Link VarNames Weights"
    options = option_pairs("fitglm", rest, allowed)
    if "varnames" in options:
        names = texts_of(options["varnames"])
    if not flag(options, "intercept", True):
        terms = [t for t in terms if t]
    table = y.reshape(-1, y.size // x.shape[0], order="F")
    if "binomialsize" in options:
        sizes = np.broadcast_to(_real(options["binomialsize"]).ravel(), (x.shape[0],))
        table = np.column_stack([table[:, 0], sizes])
    keep = np.all(np.isfinite(table), axis=1) & np.all(np.isfinite(x), axis=1)
    if "weights" in options:
        options["weights"] = column(_real(options["weights"]).ravel()[keep])
    return GeneralizedLinearModel(names, terms, x[keep], canonical(table[keep]), options)


@native_type
class NonlinearModel(LeastSquaresModel):
    """A fitted function of coefficients and predictors.

    Attributes:
        function: the model, a handle of coefficients and predictors.
        text: the model as it was written.
        labels: what the coefficients are called.
    """

    class_name = "NonlinearModel"

    def __init__(
        self, names: list[str], labels: list[str], function: FunctionHandle, text: str
    ) -> None:
        self.names, self.labels, self.function, self.text = names, labels, function, text

    def fit(self, ctx: CallContext, x: Array, y: Array, start: Array, given: list[Value]) -> None:
        """Estimate the coefficients, from ``start`` on."""
        found = nlinfit(ctx, canonical(x), column(y), self.function, canonical(start), *given)
        self.start, self.y = start, y
        self.b, self.spread = _real(found[0]).ravel(order="F"), _real(found[3])
        self.mse = float_of(found[4])
        self.fitted = y - _real(found[1]).ravel()
        self.freedom = y.size - self.b.size

    def term_names(self) -> list[str]:
        """The coefficients' names."""
        return self.labels

    def formula(self) -> str:
        """The model as text."""
        return f"{self.names[-1]} ~ {self.text}"

    def prediction(self, ctx: CallContext, x: Array) -> tuple[Array, Array]:
        """The function and its slopes by the coefficients."""
        f = model_of(ctx, self.function, canonical(x), self.start.shape)
        return f(self.b), jacobian(f, self.b)

    def show(self, name: str, style: Any) -> str:
        """The formula, the coefficients and how good they are."""
        return (
            f"Nonlinear regression model:\n    {self.formula()}\n\n"
            f"{self.estimates(style)}{self.goodness(self.b.size - 1)}"
        )


def _formula_function(
    ctx: CallContext, text: str, names: list[str]
) -> tuple[FunctionHandle, list[str]]:
    """The handle and the coefficients of ``y ~ b1*exp(-b2*x1)``: all other names but functions."""
    right = text.partition("~")[2]
    labels: list[str] = []

    def meant(match: re.Match[str]) -> str:
        word = match.group()
        if word in names:
            return f"x(:,{names.index(word) + 1})"
        if right[match.end() :].lstrip().startswith("(") or word == "pi":
            return word
        if word not in labels:
            labels.append(word)
        return f"b({{{word}}})"

    body = re.sub(r"(?<![\w.])[A-Za-z]\w*", meant, right)
    labels.sort(key=lambda n: (re.sub(r"\d+$", "", n), int(re.search(r"\d*$", n).group() or 0)))  # type: ignore[union-attr]
    for number, label in enumerate(labels, 1):
        body = body.replace(f"{{{label}}}", str(number))
    body = re.sub(r"(?<!\.)([*/^])", r".\1", body)
    return ctx.parse_handle(f"@(b, x) {body}"), labels


@builtin(
    "fitnlm",
    category=_FAMILY,
    least=3,
    signatures=(
        "mdl = fitnlm(X, y, modelfun, beta0)",
        "mdl = fitnlm(tbl, modelfun, beta0)",
        "mdl = fitnlm(..., 'Weights', w, 'CoefficientNames', names, 'VarNames', names)",
    ),
    cases=(
        "x = (0:0.5:3)'; m = fitnlm(x, 2*exp(-x), @(b, x) b(1)*exp(-b(2)*x), [1 2]); "
        "norm(m.Coefficients.Estimate - [2; 1]) < 1e-6 && abs(predict(m, 0) - 2) < 1e-6",
        "x = (1:8)'; m = fitnlm(x, 3*x.^2 + 1, 'y ~ b1 + b2*x1^b3', [2 2 1.5]); "
        "norm(m.Coefficients.Estimate - [1; 3; 2]) < 1e-4",
    ),
    see=("nlinfit", "fitlm", "predict"),
)
def fitnlm(ctx: CallContext, data: Value, *args: Value) -> Value:
    """A nonlinear model of data: its coefficients, how good it is, and predictions.

    The model is a function of coefficients and predictors, or a formula such as
    ``'y ~ b1*exp(-b2*x1)'``.
    """
    rest = list(args)
    if isinstance(data, Table):
        names, x, y = _of_table(data, rest[0])
    else:
        x, y = _real(data), _real(rest.pop(0)).ravel()
        x = x.reshape(-1, 1) if x.shape[0] == 1 else x
        names = [*(f"x{k + 1}" for k in range(x.shape[1])), "y"]
    if len(rest) < 2:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    model, start, *pairs = rest
    options = option_pairs("fitnlm", pairs, "CoefficientNames Options VarNames Weights")
    if "varnames" in options:
        names = texts_of(options["varnames"])
    if isinstance(model, FunctionHandle):
        function, labels, text = model, [f"b{k + 1}" for k in range(numel(start))], "F(b,X)"
    else:
        text = text_of(model).partition("~")[2].strip()
        function, labels = _formula_function(ctx, text_of(model), names[:-1])
    if "coefficientnames" in options:
        labels = texts_of(options["coefficientnames"])
    if len(labels) != numel(start):
        wrong = f"The model has {len(labels)} coefficients; BETA0 gives {numel(start)}."
        raise MatlabError("stats:NonlinearModel:BadInitialLength", wrong)
    keep = np.isfinite(y) & np.all(np.isfinite(x), axis=1)
    given: list[Value] = []
    if "weights" in options:
        given = ["Weights", column(_real(options["weights"]).ravel()[keep])]
    if "options" in options:
        given += ["Options", options["options"]]
    made = NonlinearModel(names, labels, function, text)
    made.fit(ctx, x[keep], y[keep], _real(start), given)
    return made


def _of_table(data: Table, model: Value) -> tuple[list[str], Array, Array]:
    """Names, predictors and the response of a table: the formula's, else the last variable."""
    names = list(data.columns)
    response = names[-1]
    if is_text_scalar(model):
        right = text_of(model)
        response = right.partition("~")[0].strip()
        words = set(re.findall(r"[A-Za-z]\w*", right.partition("~")[2]))
        names = [n for n in names if n in words or n == response]
    if response not in data.columns:
        text = f"'{response}' is not a variable of the data."
        raise MatlabError("stats:classreg:regr:LinearFormula:UnknownVariable", text)
    predictors = [n for n in names if n != response]
    x = np.column_stack([_real(data.columns[n]).ravel() for n in predictors])
    return [*predictors, response], x, _real(data.columns[response]).ravel()
