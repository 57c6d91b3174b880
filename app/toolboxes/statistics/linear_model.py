"""Fitted models as objects that predict: what all have, and the linear one of ``fitlm``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.property_objects import PropertyObject
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import native_type
from app.engine.values import (
    Array,
    Cell,
    Struct,
    Value,
    as_array,
    canonical,
    object_array,
)
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import F, T

_FAMILY = "statistics"
Term = tuple[tuple[int, int], ...]
"""Predictors by number with their powers; nothing is the constant."""


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def design(terms: list[Term], x: Array) -> Array:
    """One column for each term."""
    made = np.ones((x.shape[0], len(terms)))
    for k, term in enumerate(terms):
        for at, power in term:
            made[:, k] *= x[:, at] ** power
    return made


def names_of(terms: list[Term], names: list[str]) -> list[str]:
    """The terms as text."""
    return [
        ":".join(names[k] + (f"^{p}" if p > 1 else "") for k, p in t) or "(Intercept)"
        for t in terms
    ]


class FittedModel(PropertyObject):
    """A model with estimated coefficients.

    Attributes:
        names: the predictors, then the response.
        b: the coefficients.
        spread: their covariance.
        y: the response.
        fitted: what the model gives for it.
        freedom: observations beyond those that the coefficients take.
    """

    names: list[str]
    b: Array
    spread: Array
    y: Array
    fitted: Array
    freedom: int

    @abstractmethod
    def term_names(self) -> list[str]:
        """What the coefficients are called."""

    @abstractmethod
    def formula(self) -> str:
        """The model as text."""

    def tails(self, ratio: Array) -> Array:
        """How likely a coefficient of zero is as many errors off or more."""
        freedom = np.asarray(max(self.freedom, 1))
        return np.asarray(2 * T.value("sf", [freedom], np.abs(ratio)))

    def reach(self, alpha: float) -> float:
        """How many errors the bounds of a prediction are off."""
        return float(T.value("ppf", [np.asarray(self.freedom)], 1 - alpha / 2))

    def coefficients(self) -> Table:
        """Estimates, errors, t and p."""
        error = np.sqrt(np.maximum(np.diag(self.spread), 0))
        with np.errstate(all="ignore"):
            ratio = self.b / error
        columns = {"Estimate": self.b, "SE": error, "tStat": ratio, "pValue": self.tails(ratio)}
        return Table({k: column(v) for k, v in columns.items()}, self.b.size, self.term_names())

    def shares(self) -> tuple[float, float]:
        """R squared, plain and adjusted."""
        total = float(np.sum((self.y - self.y.mean()) ** 2))
        left = float(np.sum((self.y - self.fitted) ** 2))
        plain = 1 - left / total if total else np.nan
        return plain, 1 - (1 - plain) * (self.y.size - 1) / max(self.freedom, 1)

    def properties(self) -> dict[str, Value]:
        """The properties that all models have."""
        names = self.term_names()
        plain, adjusted = self.shares()
        return {
            "Coefficients": self.coefficients(),
            "CoefficientCovariance": canonical(self.spread),
            "CoefficientNames": Cell(object_array(names, (1, len(names)))),
            "NumCoefficients": float(len(names)),
            "Rsquared": Struct({"Ordinary": plain, "Adjusted": adjusted}),
            "DFE": float(self.freedom),
            "NumObservations": float(self.y.size),
            "Formula": self.formula(),
            "ResponseName": self.names[-1],
            "NumPredictors": float(len(self.names) - 1),
            "PredictorNames": Cell(object_array(self.names[:-1], (len(self.names) - 1, 1))),
        }

    def estimates(self, style: Any) -> str:
        """The table of the coefficients as it is shown."""
        rows = self.coefficients().show("x", style).split("\n", 2)[-1]
        return f"Estimated Coefficients:\n{rows}\n"

    @abstractmethod
    def prediction(self, ctx: CallContext, x: Array) -> tuple[Array, Array]:
        """What the model gives for observations, and its slopes by the coefficients."""

    def outcome(self, values: Array) -> Array:
        """The response for what the model gives."""
        return values

    def noise_share(self) -> float:
        """How much an observation varies around the model."""
        text = f"Prediction of observations is not part of a {self.class_name}: use 'curve'."
        raise MatlabError(f"stats:{self.class_name}:BadPrediction", text)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions with a meaning for models."""
        return _METHODS

    def matrix(self, x: Value) -> Array:
        """New observations: one column for each predictor."""
        if isinstance(x, Table):
            for name in self.names[:-1]:
                if name not in x.columns:
                    text = f"The table lacks the predictor '{name}'."
                    raise MatlabError(f"stats:{self.class_name}:MissingVariable", text)
            columns = [_real(x.columns[n]).ravel() for n in self.names[:-1]]
            return np.column_stack(columns)
        a, count = np.atleast_2d(_real(x)), len(self.names) - 1
        a = a.T if a.shape[0] == 1 != count or (count == 1 and a.shape[1] != 1) else a
        if a.shape[1] != count:
            text = "There must be one column for each predictor."
            raise MatlabError(f"stats:{self.class_name}:BadXColumnNumber", text)
        return a


class LeastSquaresModel(FittedModel):
    """A model whose coefficients make the squares of what is left smallest.

    Attributes:
        mse: the mean square of what is left.
    """

    mse: float

    @property
    def noise(self) -> float:
        """The root of the mean square; one for a model without errors."""
        return float(np.sqrt(self.mse)) or 1.0

    def properties(self) -> dict[str, Value]:
        """All properties."""
        left = self.y - self.fitted
        total = float(np.sum((self.y - self.y.mean()) ** 2))
        n, sse = float(self.y.size), float(left @ left)
        likely = -n / 2 * (np.log(2 * np.pi * sse / n) + 1) if sse else np.inf
        return {
            **super().properties(),
            "Fitted": column(self.fitted),
            "Residuals": Table(
                {"Raw": column(left), "Pearson": column(left / (self.mse**0.5 or 1))}
            ),
            "RMSE": float(np.sqrt(self.mse)),
            "MSE": self.mse,
            "SSE": sse,
            "SST": total,
            "SSR": total - sse,
            "LogLikelihood": float(likely),
        }

    def noise_share(self) -> float:
        """The mean square of what is left."""
        return self.mse

    def goodness(self, terms: int) -> str:
        """How good a model with so many terms beside a constant is, as text."""
        plain, adjusted = self.shares()
        k = max(terms, 1)
        ratio = plain / k / ((1 - plain) / max(self.freedom, 1)) if plain < 1 else np.inf
        tail = F.value("sf", [np.asarray(k), np.asarray(max(self.freedom, 1))], ratio)
        return (
            f"Number of observations: {self.y.size}, Error degrees of freedom: {self.freedom}\n"
            f"Root Mean Squared Error: {self.mse**0.5:.3g}\n"
            f"R-squared: {plain:.3g},  Adjusted R-Squared: {adjusted:.3g}\n"
            f"F-statistic vs. constant model: {ratio:.3g}, "
            f"p-value = {float(tail):.3g}\n"
        )


@native_type
class LinearModel(LeastSquaresModel):
    """A fitted sum of terms.

    Attributes:
        terms: what is multiplied with a coefficient.
    """

    class_name = "LinearModel"

    def __init__(
        self, names: list[str], terms: list[Term], x: Array, y: Array, weights: Array
    ) -> None:
        self.names, self.terms, self.y = names, terms, y
        table, root = design(terms, x), np.sqrt(weights)
        self.b = stoppable.lstsq(table * root[:, None], y * root, rcond=None)[0]
        self.fitted = table @ self.b
        self.freedom = y.size - self.b.size
        left = (y - self.fitted) * root
        self.mse = float(left @ left) / max(self.freedom, 1)
        weighted = table * root[:, None]
        self.spread = stoppable.pinv(weighted.T @ weighted) * self.mse

    def term_names(self) -> list[str]:
        """The terms as text."""
        return names_of(self.terms, self.names)

    def formula(self) -> str:
        """The model as text."""
        words = ["1" if n == "(Intercept)" else n for n in self.term_names()]
        return f"{self.names[-1]} ~ {' + '.join(words)}"

    def prediction(self, ctx: CallContext, x: Array) -> tuple[Array, Array]:
        """The sum of the terms, and the terms."""
        table = design(self.terms, x)
        return table @ self.b, table

    def show(self, name: str, style: Any) -> str:
        """The formula, the coefficients and how good they are."""
        rows = self.estimates(style)
        terms = len(self.terms) - (() in self.terms)
        return f"Linear regression model:\n    {self.formula()}\n\n{rows}{self.goodness(terms)}"


def _predict(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from app.engine.arguments.checks import option_pairs

    model, options = (
        _model(args),
        option_pairs("predict", args[2:], "Prediction Alpha"),
    )
    if len(args) < 2:
        return column(model.fitted)
    y, slopes = model.prediction(ctx, model.matrix(args[1]))
    if nargout < 2:
        return column(model.outcome(y))
    variance = np.einsum("ij,jk,ik->i", slopes, model.spread, slopes)
    if str(options.get("prediction", "curve")).lower() == "observation":
        variance = variance + model.noise_share()
    reach = model.reach(real_number(options.get("alpha", 0.05))) * np.sqrt(variance)
    bounds = np.sort(np.column_stack([model.outcome(y - reach), model.outcome(y + reach)]), axis=1)
    return column(model.outcome(y)), canonical(bounds)


def _model(args: tuple[Value, ...]) -> FittedModel:
    """The model that its method was called with."""
    model = args[0]
    assert isinstance(model, FittedModel)
    return model


def coefficient_bounds(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Confidence bounds of the coefficients."""
    model, alpha = _model(args), real_number(args[1]) if len(args) > 1 else 0.05
    reach = model.reach(alpha) * np.sqrt(np.diag(model.spread))
    return canonical(np.column_stack([model.b - reach, model.b + reach]))


def _plot(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """The response over what the model gives, and the line of agreement."""
    model = _model(args)
    ctx.call("plot", (column(model.fitted), column(model.y), "x"), 0)
    ctx.call("hold", ("on",), 0)
    ends = np.array([model.fitted.min(), model.fitted.max()])
    ctx.call("plot", (column(ends), column(ends), "r-"), 0)
    ctx.call("hold", ("off",), 0)
    ctx.call("xlabel", ("Fitted",), 0)
    ctx.call("ylabel", (model.names[-1],), 0)
    return ()


def _value_at(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Predictions for a matrix, or for one vector for each predictor."""
    model = _model(args)
    given = (
        args[1]
        if len(args) == 2
        else canonical(np.column_stack([_real(a).ravel() for a in args[1:]]))
    )
    return column(model.outcome(model.prediction(ctx, model.matrix(given))[0]))


_METHODS: dict[str, Callable[..., Value]] = {
    "predict": _predict,
    "coefCI": coefficient_bounds,
    "plot": _plot,
    "feval": _value_at,
}
