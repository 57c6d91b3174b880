"""A distribution with its parameters, as ``makedist`` and ``fitdist`` give it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs, real_number, receiver
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import native_type
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    object_array,
    text_of,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import BY_NAME, NORM, STANDARD, Kind

_FAMILY = "distributions"


def kind_of(function: str, v: Value) -> tuple[str, Kind]:
    """The family that a name means."""
    word = text_of(v).lower() if is_text_scalar(v) else ""
    word = {
        "generalizedextremevalue": "gev",
        "extremevalue": "ev",
        "generalizedpareto": "gp",
        "negativebinomial": "nbin",
        "multinomial": "",
    }.get(word, word)
    if word not in BY_NAME:
        known = ", ".join(sorted({k.words for k in BY_NAME.values()}))
        text = f"'{word}' is not a known distribution. Known distributions: {known}."
        raise MatlabError(f"stats:{function}:InvalidDistName", text)
    return BY_NAME[word].words.title().replace(" ", "").replace("-", ""), BY_NAME[word]


@native_type
class Distribution(PropertyObject):
    """A distribution with its parameters.

    Attributes:
        kind: which family.
        values: its parameters.
        spread: covariance of the parameters where they were estimated.
        limits: where it is cut off.
    """

    superclasses = ("prob.ProbabilityDistribution",)

    def __init__(
        self,
        name: str,
        kind: Kind,
        values: list[float],
        spread: Array | None = None,
        limits: tuple[float, float] = (-np.inf, np.inf),
    ) -> None:
        self.class_name = f"prob.{name}Distribution"
        self.name, self.kind, self.values = name, kind, values
        self.spread, self.limits = spread, limits

    def __getstate__(self) -> dict[str, object]:
        family = next(word for word, kind in BY_NAME.items() if kind is self.kind)
        return {**vars(self), "kind": family}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state, kind=BY_NAME[str(state["kind"])])

    @property
    def law(self) -> Any:
        """SciPy's distribution."""
        return self.kind.frozen([np.asarray(v) for v in self.values])

    @property
    def share(self) -> tuple[float, float]:
        """What lies left of each limit."""
        low, high = self.limits
        step = 1 if self.kind.discrete else 0
        return float(self.law.cdf(low - step)), float(self.law.cdf(high))

    def density(self, x: Array) -> Array:
        """Density, or probability of whole numbers."""
        found = self.law.pmf(x) if self.kind.discrete else self.law.pdf(x)
        a, b = self.share
        inside = (x >= self.limits[0]) & (x <= self.limits[1])
        return np.where(inside, found / (b - a), 0.0)

    def below(self, x: Array) -> Array:
        """The distribution function."""
        a, b = self.share
        return np.asarray(np.clip((self.law.cdf(x) - a) / (b - a), 0, 1))

    def quantile(self, p: Array) -> Array:
        """The inverse of the distribution function."""
        a, b = self.share
        return np.asarray(self.law.ppf(a + np.asarray(p) * (b - a)))

    def moment(self, n: int) -> float:
        """Mean (1) or variance (2)."""
        if np.isinf(self.limits[0]) and np.isinf(self.limits[1]):
            return float(self.law.mean() if n == 1 else self.law.var())
        p = (np.arange(20000) + 0.5) / 20000
        x = self.quantile(p)
        return float(x.mean() if n == 1 else x.var())

    def bounds(self, alpha: float) -> Array:
        """Confidence bounds of the parameters: two rows."""
        if self.spread is None:
            return np.array([self.values, self.values])
        reach = NORM.value("ppf", STANDARD, 1 - alpha / 2) * np.sqrt(
            np.maximum(np.diag(self.spread), 0)
        )
        return np.array([np.array(self.values) - reach, np.array(self.values) + reach])

    def properties(self) -> dict[str, Value]:
        """All properties."""
        count = len(self.values)
        names = Cell(object_array(list(self.kind.parameters), (1, count)))
        return {
            **dict(zip(self.kind.parameters, self.values, strict=True)),
            "DistributionName": self.name,
            "NumParameters": float(count),
            "ParameterNames": names,
            "ParameterValues": canonical(np.array([self.values])),
            "ParameterIsFixed": canonical(np.full((1, count), self.spread is None)),
            "ParameterCovariance": canonical(
                np.zeros((count, count)) if self.spread is None else np.asarray(self.spread)
            ),
            "IsTruncated": bool(np.isfinite(self.limits).any()),
            "Truncation": canonical(np.array([self.limits])),
        }

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``pd.mu = …``."""
        if name not in self.kind.parameters:
            raise no_member(self.class_name, name)
        values = list(self.values)
        values[self.kind.parameters.index(name)] = real_number(value)
        return Distribution(self.name, self.kind, values, None, self.limits)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions with a meaning for distributions."""
        return _METHODS

    def equals(self, other: Value) -> bool:
        """The same family with the same parameters."""
        return (
            isinstance(other, Distribution)
            and self.kind is other.kind
            and self.values == other.values
            and self.limits == other.limits
        )

    def show(self, name: str, style: Any) -> str:
        """The family and its parameters."""
        wide = max(len(p) for p in self.kind.parameters)
        lines = [f"  {self.name}Distribution", "", f"  {self.kind.words.capitalize()} distribution"]
        for p, v, (low, high) in zip(
            self.kind.parameters, self.values, self.bounds(0.05).T, strict=True
        ):
            sure = f"   [{low:.6g}, {high:.6g}]" if self.spread is not None else ""
            lines.append(f"    {p:>{wide}} = {v:.6g}{sure}")
        if np.isfinite(self.limits).any():
            lines.append(f"  Truncated to the interval [{self.limits[0]:g}, {self.limits[1]:g}]")
        return "\n".join(lines) + "\n"


def _method_of_points(f: Callable[[Distribution, Array], Array]) -> Callable[..., Value]:
    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        points = np.asarray(as_array(args[1]), dtype=float)
        return canonical(np.asarray(f(receiver(args, Distribution), points)))

    return call


def _cdf(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    p = receiver(args, Distribution).below(np.asarray(as_array(args[1]), dtype=float))
    return canonical(1 - p if len(args) > 2 else p)


def _random(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from app.engine.arguments import size_arguments
    from app.engine.values.random_stream import stream_of

    shape = size_arguments.shape_of(args[1:]) if len(args) > 1 else (1, 1)
    size_arguments.check_room(shape, np.dtype(float).itemsize)
    draws = stream_of(ctx).draw("uniform", shape, np.dtype(np.float64))
    return canonical(receiver(args, Distribution).quantile(draws))


def _truncate(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    d, low, high = receiver(args, Distribution), real_number(args[1]), real_number(args[2])
    if not low < high:
        raise MatlabError("stats:probdists:BadTruncation", "The lower limit must be the smaller.")
    return Distribution(d.name, d.kind, d.values, d.spread, (low, high))


_METHODS: dict[str, Callable[..., Value]] = {
    "pdf": _method_of_points(Distribution.density),
    "cdf": _cdf,
    "icdf": _method_of_points(Distribution.quantile),
    "random": _random,
    "truncate": _truncate,
    "mean": lambda ctx, args, n: args[0].moment(1),
    "var": lambda ctx, args, n: args[0].moment(2),
    "std": lambda ctx, args, n: args[0].moment(2) ** 0.5,
    "median": lambda ctx, args, n: float(args[0].quantile(np.array(0.5))),
    "iqr": lambda ctx, args, n: float(np.diff(args[0].quantile(np.array([0.25, 0.75])))[0]),
    "paramci": lambda ctx, args, n: canonical(args[0].bounds(level_of(args[1:]))),
}


def level_of(rest: tuple[Value, ...]) -> float:
    """The option Alpha."""
    options = option_pairs("paramci", rest, "Alpha")
    return real_number(options.get("alpha", 0.05))
