"""``fittype``, ``cfit`` and ``sfit``: a model, and a model with its coefficients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.class_methods import methods_of
from app.engine.declarations.registry import native_type
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    Value,
    as_array,
    canonical,
    object_array,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError
from app.toolboxes.curves.models import Model, text_of_kind


def names_of(items: list[str]) -> Value:
    """Names as a column cell."""
    return Cell(object_array(items, (len(items), 1)))


@native_type
class FitType(NativeObject):
    """A model.

    Attributes:
        model: what it says.
        options: options that ``fit`` begins with, by name in lower case.
    """

    class_name = "fittype"

    def __init__(self, model: Model, options: dict[str, Value] | None = None) -> None:
        self.model, self.options = model, options or {}

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "model": self.model.unbound()}

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What can be asked of a model."""
        return {
            "coeffnames": lambda ctx, args, n: names_of(self.model.coefficients),
            "indepnames": lambda ctx, args, n: names_of(self.model.variables),
            "dependnames": lambda ctx, args, n: names_of([self.model.dependent]),
            "probnames": lambda ctx, args, n: names_of(self.model.problem),
            "argnames": lambda ctx, args, n: names_of(self.model.inputs),
            "numcoeffs": lambda ctx, args, n: float(len(self.model.coefficients)),
            "formula": lambda ctx, args, n: self.model.formula,
            "type": lambda ctx, args, n: self.model.kind,
            "islinear": lambda ctx, args, n: self.model.linear,
            "feval": lambda ctx, args, n: self.paren_get(ctx, args[1:]),
        }

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Functions in dot form."""
        if name in self.methods():
            return self.methods()[name](ctx, (self, *(args or ())), nargout)
        raise no_member(self.class_name, name)

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``f(a, b, x)``."""
        model = self.model.bound(ctx)
        if len(args) != len(model.inputs) or model.call is None:
            text = f"The model takes the inputs {', '.join(model.inputs)}."
            raise MatlabError("curvefit:fittype:evaluationInputs", text)
        shape = as_array(args[-1]).shape
        made = model.call(*(as_array(a).ravel(order="F") for a in args))
        return canonical(made.reshape(shape if made.size == np.prod(shape) else (-1, 1), order="F"))

    def title(self, name: str) -> str:
        """The two lines that say what the model is."""
        inputs = self.model.inputs if type(self) is FitType else self.model.variables
        formula = f"{name or 'f'}({','.join(inputs)}) = {self.model.formula}"
        return f"     {text_of_kind(self.model)}\n     {formula}\n"

    def show(self, name: str, style: Any) -> str:
        """The formula."""
        return self.title(name)


@native_type
class Fitted(FitType):
    """A model with coefficients.

    Attributes:
        values: the coefficients.
        given: values of the problem parameters.
        spread: their covariance; None for interpolants.
        freedom: observations less coefficients.
        curve: for interpolants, what gives values.
        centre: mean and deviation of the data where it was normalised.
        noise: the mean square of what is left.
    """

    superclasses = ("fittype",)

    def __init__(
        self,
        model: Model,
        values: Array,
        given: list[float],
        spread: Array | None,
        freedom: int,
        curve: Callable[..., Array] | None = None,
        centre: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        super().__init__(model)
        self.class_name = "cfit" if len(model.variables) == 1 else "sfit"
        self.values, self.given, self.spread = values, given, spread
        self.freedom, self.curve, self.centre = freedom, curve, centre
        self.noise = 0.0

    def at(self, *points: Array) -> Array:
        """Values at points."""
        if self.curve is not None:
            return self.curve(*points)
        assert self.model.call is not None
        first = (points[0] - self.centre[0]) / self.centre[1]
        return self.model.call(*self.values, *self.given, first, *points[1:])

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``f(x)`` and ``f(x, y)``."""
        points = [np.asarray(as_array(a), dtype=float) for a in args]
        if len(points) == 1 and len(self.model.variables) == 2 and points[0].shape[1:] == (2,):
            points = [points[0][:, :1], points[0][:, 1:]]
        if len(points) != len(self.model.variables):
            text = f"The fit takes the inputs {', '.join(self.model.variables)}."
            raise MatlabError("curvefit:cfit:evaluationInputs", text)
        self.model.bound(ctx)
        shape = points[0].shape
        flat = self.at(*(p.ravel(order="F") for p in points))
        return canonical(flat.reshape(shape if len(points) > 1 else (-1, 1), order="F"))

    def bounds(self, level: float = 0.95) -> Array:
        """Confidence bounds: two rows, one column for each coefficient."""
        from scipy.stats import t

        if self.spread is None or self.freedom <= 0:
            return np.full((2, self.values.size), np.nan)
        reach = t.ppf((1 + level) / 2, self.freedom) * np.sqrt(np.maximum(np.diag(self.spread), 0))
        return np.array([self.values - reach, self.values + reach])

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``f.a``: a coefficient; functions in dot form."""
        known = dict(zip(self.model.coefficients, self.values.tolist(), strict=False))
        known |= dict(zip(self.model.problem, self.given, strict=True))
        if name in known:
            return known[name]
        return super().get_member(ctx, name, args, nargout)

    def members(self) -> list[str]:
        """The coefficients."""
        return [*self.model.coefficients, *self.model.problem]

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What can be asked of a fit."""
        return super().methods() | methods_of("cfit")

    def show(self, name: str, style: Any) -> str:
        """The formula, and the coefficients with their bounds."""
        if self.curve is not None:
            return self.title(name)
        wide = max(len(n) for n in self.model.coefficients)
        lines = [self.title(name) + "     Coefficients (with 95% confidence bounds):"]
        for n, v, (low, high) in zip(
            self.model.coefficients, self.values, self.bounds().T, strict=True
        ):
            lines.append(f"       {n:>{wide}} = {v:11.4g}  ({low:.4g}, {high:.4g})")
        for n, g in zip(self.model.problem, self.given, strict=True):
            lines.append(f"       {n:>{wide}} = {g:11.4g} (fixed)")
        return "\n".join(lines) + "\n"
