"""``fitlm``: a linear model as an object that predicts."""

from __future__ import annotations

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

_FAMILY = "statistics"
Term = tuple[tuple[int, int], ...]
"""Predictors by number with their powers; nothing is the constant."""


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


@native_type
class LinearModel(PropertyObject):
    """A fitted sum of terms.

    Attributes:
        names: the predictors, then the response.
        terms: what is multiplied with a coefficient.
        b: the coefficients.
        spread: their covariance.
        y: the response.
        fitted: what the model gives for it.
    """

    class_name = "LinearModel"

    def __init__(
        self, names: list[str], terms: list[Term], x: Array, y: Array, weights: Array
    ) -> None:
        self.names, self.terms, self.y = names, terms, y
        table, root = self.design(x), np.sqrt(weights)
        self.b = stoppable.lstsq(table * root[:, None], y * root, rcond=None)[0]
        self.fitted = table @ self.b
        self.freedom = y.size - self.b.size
        left = (y - self.fitted) * root
        self.mse = float(left @ left) / max(self.freedom, 1)
        weighted = table * root[:, None]
        self.spread = stoppable.pinv(weighted.T @ weighted) * self.mse

    def design(self, x: Array) -> Array:
        """One column for each term."""
        made = np.ones((x.shape[0], len(self.terms)))
        for k, term in enumerate(self.terms):
            for at, power in term:
                made[:, k] *= x[:, at] ** power
        return made

    @property
    def noise(self) -> float:
        """The root of the mean square; one for a model without errors."""
        return float(np.sqrt(self.mse)) or 1.0

    def term_names(self) -> list[str]:
        """The terms as text."""
        return [
            ":".join(self.names[k] + (f"^{p}" if p > 1 else "") for k, p in t) or "(Intercept)"
            for t in self.terms
        ]

    def coefficients(self) -> Table:
        """Estimates, errors, t and p."""
        from scipy.stats import t

        error = np.sqrt(np.maximum(np.diag(self.spread), 0))
        with np.errstate(all="ignore"):
            ratio = self.b / error
        p = 2 * t.sf(np.abs(ratio), max(self.freedom, 1))
        columns = {"Estimate": self.b, "SE": error, "tStat": ratio, "pValue": p}
        return Table({k: column(v) for k, v in columns.items()}, self.b.size, self.term_names())

    def shares(self) -> tuple[float, float]:
        """R squared, plain and adjusted."""
        total = float(np.sum((self.y - self.y.mean()) ** 2))
        left = float(np.sum((self.y - self.fitted) ** 2))
        plain = 1 - left / total if total else np.nan
        return plain, 1 - (1 - plain) * (self.y.size - 1) / max(self.freedom, 1)

    def properties(self) -> dict[str, Value]:
        """All properties."""
        left = self.y - self.fitted
        plain, adjusted = self.shares()
        total = float(np.sum((self.y - self.y.mean()) ** 2))
        n = float(self.y.size)
        sse = float(left @ left)
        likely = -n / 2 * (np.log(2 * np.pi * sse / n) + 1) if sse else np.inf
        names = self.term_names()
        return {
            "Coefficients": self.coefficients(),
            "CoefficientCovariance": canonical(self.spread),
            "CoefficientNames": Cell(object_array(names, (1, len(names)))),
            "NumCoefficients": float(len(names)),
            "Fitted": column(self.fitted),
            "Residuals": Table(
                {"Raw": column(left), "Pearson": column(left / (self.mse**0.5 or 1))}
            ),
            "Rsquared": Struct({"Ordinary": plain, "Adjusted": adjusted}),
            "RMSE": float(np.sqrt(self.mse)),
            "MSE": self.mse,
            "DFE": float(self.freedom),
            "NumObservations": n,
            "SSE": sse,
            "SST": total,
            "SSR": total - sse,
            "LogLikelihood": float(likely),
            "Formula": self.formula(),
            "ResponseName": self.names[-1],
            "NumPredictors": float(len(self.names) - 1),
            "PredictorNames": Cell(object_array(self.names[:-1], (len(self.names) - 1, 1))),
        }

    def formula(self) -> str:
        """The model as text."""
        words = ["1" if n == "(Intercept)" else n for n in self.term_names()]
        return f"{self.names[-1]} ~ {' + '.join(words)}"

    def predict(self, x: Value) -> Array:
        """The design of new observations."""
        if isinstance(x, Table):
            columns = [_real(x.columns[n]).ravel() for n in self.names[:-1]]
            return self.design(np.column_stack(columns))
        a = np.atleast_2d(_real(x))
        a = (
            a.T
            if a.shape[0] == 1 != len(self.names) - 1 or (len(self.names) == 2 and a.shape[1] != 1)
            else a
        )
        if a.shape[1] != len(self.names) - 1:
            text = "There must be one column for each predictor."
            raise MatlabError("stats:LinearModel:BadXColumnNumber", text)
        return self.design(a)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions with a meaning for models."""
        return _METHODS

    def show(self, name: str, style: Any) -> str:
        """The formula, the coefficients and how good they are."""
        from scipy.stats import f as law

        plain, adjusted = self.shares()
        k = len(self.terms) - (() in self.terms)
        ratio = plain / max(k, 1) / ((1 - plain) / max(self.freedom, 1)) if plain < 1 else np.inf
        rows = self.coefficients().show("x", style).split("\n", 2)[-1]
        return (
            f"Linear regression model:\n    {self.formula()}\n\n"
            f"Estimated Coefficients:\n{rows}\n"
            f"Number of observations: {self.y.size}, Error degrees of freedom: {self.freedom}\n"
            f"Root Mean Squared Error: {self.mse**0.5:.3g}\n"
            f"R-squared: {plain:.3g},  Adjusted R-Squared: {adjusted:.3g}\n"
            f"F-statistic vs. constant model: {ratio:.3g}, "
            f"p-value = {law.sf(ratio, max(k, 1), max(self.freedom, 1)):.3g}\n"
        )


def _predict(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from scipy.stats import t

    from app.engine.arguments.checks import option_pairs

    model, options = args[0], option_pairs("predict", args[2:], "Prediction Alpha")
    table = model.predict(args[1]) if len(args) > 1 else None
    y = model.fitted if table is None else table @ model.b
    if nargout < 2 or table is None:
        return column(y)
    variance = np.einsum("ij,jk,ik->i", table, model.spread, table)
    if str(options.get("prediction", "curve")).lower() == "observation":
        variance = variance + model.mse
    alpha = real_number(options.get("alpha", 0.05))
    reach = t.ppf(1 - alpha / 2, model.freedom) * np.sqrt(variance)
    return column(y), canonical(np.column_stack([y - reach, y + reach]))


def coefficient_bounds(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Confidence bounds of the coefficients."""
    from scipy.stats import t

    model, alpha = args[0], real_number(args[1]) if len(args) > 1 else 0.05
    reach = t.ppf(1 - alpha / 2, model.freedom) * np.sqrt(np.diag(model.spread))
    return canonical(np.column_stack([model.b - reach, model.b + reach]))


def _plot(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """The response over what the model gives, and the line of agreement."""
    model = args[0]
    ctx.call("plot", (column(model.fitted), column(model.y), "x"), 0)
    ctx.call("hold", ("on",), 0)
    ends = np.array([model.fitted.min(), model.fitted.max()])
    ctx.call("plot", (column(ends), column(ends), "r-"), 0)
    ctx.call("hold", ("off",), 0)
    ctx.call("xlabel", ("Fitted",), 0)
    ctx.call("ylabel", (model.names[-1],), 0)
    return ()


_METHODS: dict[str, Callable[..., Value]] = {
    "predict": _predict,
    "coefCI": coefficient_bounds,
    "plot": _plot,
    "feval": lambda ctx, args, n: column(
        args[0].predict(
            args[1]
            if len(args) == 2
            else canonical(np.column_stack([_real(a).ravel() for a in args[1:]]))
        )
        @ args[0].b
    ),
}
