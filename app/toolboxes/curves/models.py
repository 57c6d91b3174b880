"""Models that curves are fitted with: names of the library, and expressions of one's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.values import Array, FunctionHandle, as_array, canonical
from app.errors import MatlabError

_WORD = re.compile(r"(?<![\w.])[A-Za-z]\w*")
_OPERATOR = re.compile(r"(?<!\.)([*/^])")
INTERPOLANTS = (
    "nearestinterp",
    "linearinterp",
    "cubicinterp",
    "cubicspline",
    "splineinterp",
    "pchipinterp",
    "smoothingspline",
)


@dataclass(slots=True)
class Model:
    """A function of coefficients and of one or two variables.

    Attributes:
        kind: the name in the library, or ``customnonlinear`` or ``customlinear``.
        formula: the expression; of interpolants what they are.
        coefficients: names of what is fitted.
        variables: names of the independent variables.
        problem: names of what is given with the data.
        dependent: name of the result.
        terms: for linear models the expression that each coefficient is multiplied with.
        call: gives values from coefficients, problem values and variables.
    """

    kind: str
    formula: str
    coefficients: list[str]
    variables: list[str] = field(default_factory=lambda: ["x"])
    problem: list[str] = field(default_factory=list)
    dependent: str = "y"
    terms: list[str] = field(default_factory=list)
    call: Callable[..., Array] | None = None

    def unbound(self) -> Model:
        """The model without the function that `bound` makes; those of interpolants stay."""
        return self if self.kind in INTERPOLANTS else replace(self, call=None)

    @property
    def linear(self) -> bool:
        """Whether the coefficients follow from linear equations."""
        return bool(self.terms)

    @property
    def inputs(self) -> list[str]:
        """All names in the order in which the function takes them."""
        return [*self.coefficients, *self.problem, *self.variables]

    def bound(self, ctx: CallContext) -> Model:
        """The model with its function made."""
        if self.call is None and self.kind not in INTERPOLANTS:
            self.call = function_of_text(ctx, self.formula, self.inputs)
        return self


def function_of_text(ctx: CallContext, text: str, names: list[str]) -> Callable[..., Array]:
    """An expression as a function of columns, element by element."""
    formula = _OPERATOR.sub(r".\1", text)
    handle = ctx.parse_handle(f"@({', '.join(names)}) {formula}")
    return function_of_handle(ctx, handle)


def function_of_handle(ctx: CallContext, handle: FunctionHandle) -> Callable[..., Array]:
    """A function handle of numbers and columns as a function of arrays."""

    def call(*args: Any) -> Array:
        given = tuple(canonical(np.asarray(a, dtype=float).reshape(-1, 1)) for a in args)
        made = np.asarray(as_array(ctx.call(handle, given, 1)[0]))
        wide = max(np.asarray(a).size for a in args)
        return np.broadcast_to(made.reshape(-1, 1, order="F"), (wide, 1)).ravel()

    return call


def custom(
    ctx: CallContext,
    text: str,
    variables: list[str],
    coefficients: list[str] | None,
    problem: list[str],
) -> Model:
    """A model of an expression; its coefficients are the names in it that mean nothing else."""
    known = {*variables, *problem}
    found = [
        w
        for w in dict.fromkeys(_WORD.findall(text))
        if w not in known and w not in ("pi", "Inf", "NaN") and not _is_call(text, w)
    ]
    names = sorted(found, key=str.lower) if coefficients is None else coefficients
    if not names:
        text = "The expression has no coefficients."
        raise MatlabError("curvefit:fittype:noCoefficients", text)
    return Model("customnonlinear", text, names, variables, problem).bound(ctx)


def _is_call(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w.]){word}\s*\(", text) is not None


def linear(terms: list[str], coefficients: list[str] | None = None) -> Model:
    """A sum of terms, each with a coefficient."""
    names = coefficients or [chr(ord("a") + k) for k in range(len(terms))]
    formula = " + ".join(c if t == "1" else f"{c}*({t})" for c, t in zip(names, terms, strict=True))
    return Model("customlinear", formula, names, terms=terms)


def of_library(name: str) -> Model | None:
    """A model by its name in the library; None for others."""
    word = name.lower()
    if word in INTERPOLANTS:
        return Model(word, "piecewise polynomial", ["p"])
    match = re.fullmatch(r"([a-z]+)(\d)(\d)?", word)
    if word == "weibull":
        return Model(word, "a*b*x^(b-1)*exp(-a*x^b)", ["a", "b"])
    if match is None or match.group(1) not in _FAMILIES:
        return None
    numbers = [int(n) for n in match.groups()[1:] if n is not None]
    made = _FAMILIES[match.group(1)](*numbers)
    made.kind = word
    return made


def _poly(m: int, n: int | None = None) -> Model:
    if n is None:
        names = [f"p{k + 1}" for k in range(m + 1)]
        terms = ["1" if m - k == 0 else "x" if m - k == 1 else f"x^{m - k}" for k in range(m + 1)]
    else:
        pairs = [
            (i, d - i)
            for d in range(max(m, n) + 1)
            for i in range(d, -1, -1)
            if i <= m and d - i <= n
        ]
        names = [f"p{i}{j}" for i, j in pairs]
        terms = ["*".join(filter(None, (_power("x", i), _power("y", j)))) or "1" for i, j in pairs]
    formula = " + ".join(c if t == "1" else f"{c}*{t}" for c, t in zip(names, terms, strict=True))
    made = Model("", formula, names, terms=terms)
    made.variables = ["x"] if n is None else ["x", "y"]
    made.dependent = "y" if n is None else "z"
    return made


def _power(name: str, n: int) -> str:
    return "" if n == 0 else name if n == 1 else f"{name}^{n}"


def _sums(letters: str, form: str) -> Callable[[int], Model]:
    """Models that are a sum of like terms with numbered coefficients."""

    def make(n: int) -> Model:
        names = [f"{c}{k + 1}" for k in range(n) for c in letters]
        parts = [re.sub(rf"\b([{letters}])\b", rf"\g<1>{k + 1}", form) for k in range(n)]
        return Model("", " + ".join(parts), names)

    return make


def _exponential(n: int) -> Model:
    return Model("", "a*exp(b*x)" if n == 1 else "a*exp(b*x) + c*exp(d*x)", list("abcd"[: 2 * n]))


def _powers(n: int) -> Model:
    return Model("", "a*x^b" if n == 1 else "a*x^b + c", list("abc"[: n + 1]))


def _fourier(n: int) -> Model:
    names = ["a0", *(f"{c}{k + 1}" for k in range(n) for c in "ab"), "w"]
    parts = [
        f"a{k}*cos({'' if k == 1 else f'{k}*'}x*w) + b{k}*sin({'' if k == 1 else f'{k}*'}x*w)"
        for k in range(1, n + 1)
    ]
    return Model("", " + ".join(["a0", *parts]), names)


def _rational(m: int, n: int) -> Model:
    tops = [f"p{k + 1}" for k in range(m + 1)]
    lows = [f"q{k + 1}" for k in range(n)]
    top = " + ".join(f"{c}*{_power('x', m - k)}".rstrip("*") for k, c in enumerate(tops))
    low = " + ".join(
        [_power("x", n), *(f"{c}*{_power('x', n - k - 1)}".rstrip("*") for k, c in enumerate(lows))]
    )
    return Model("", f"({top})/({low})", [*tops, *lows])


_FAMILIES: dict[str, Callable[..., Model]] = {
    "poly": _poly,
    "exp": _exponential,
    "power": _powers,
    "fourier": _fourier,
    "rat": _rational,
    "gauss": _sums("abc", "a*exp(-((x-b)/c)^2)"),
    "sin": _sums("abc", "a*sin(b*x+c)"),
}


def start_of(model: Model, x: Array, y: Array, draw: Callable[[int], Array]) -> Array:
    """Where the search for coefficients begins."""
    family = re.sub(r"\d+$", "", model.kind)
    found = _STARTS.get(family)
    return (
        found(model, x, y) if found is not None and x.ndim == 1 else draw(len(model.coefficients))
    )


def _exponential_start(model: Model, x: Array, y: Array) -> Array:
    """Of equal integrals: the rates solve a linear equation."""
    n = len(model.coefficients) // 2
    order = np.argsort(x)
    x, y = x[order], y[order]
    integrals, columns = y, []
    for _ in range(n):
        step = np.concatenate([[0.0], np.cumsum(np.diff(x) * (integrals[1:] + integrals[:-1]) / 2)])
        columns.append(step)
        integrals = step
    powers = [x**k for k in range(n)]
    solution = stoppable.lstsq(np.column_stack(columns + powers), y, rcond=None)[0]
    rates = np.real(np.roots(np.concatenate([[1.0], -solution[:n]])))
    basis = np.exp(np.outer(x, rates))
    heights = stoppable.lstsq(basis, y, rcond=None)[0]
    return np.column_stack([heights, rates]).ravel()


def _power_start(model: Model, x: Array, y: Array) -> Array:
    keep = (x > 0) & (y > 0)
    slope, level = np.polyfit(np.log(x[keep]), np.log(y[keep]), 1) if keep.sum() > 1 else (1.0, 0.0)
    return np.array([np.exp(level), slope, 0.0][: len(model.coefficients)])


def _gauss_start(model: Model, x: Array, y: Array) -> Array:
    rest, made = y.astype(float).copy(), []
    for _ in range(len(model.coefficients) // 3):
        k = int(np.argmax(rest))
        wide = np.ptp(x[rest > rest[k] / 2]) / 1.67 if rest[k] > 0 else 0.0
        width = max(float(wide), float(np.ptp(x)) / x.size) / (len(model.coefficients) // 3)
        made += [float(rest[k]), float(x[k]), width]
        rest = rest - rest[k] * np.exp(-(((x - x[k]) / width) ** 2))
    return np.array(made)


def _main_frequency(x: Array, y: Array) -> float:
    """The circular frequency whose sine fits best."""
    span = float(np.ptp(x)) or 1.0
    rates = 2 * np.pi * np.linspace(0.25, max(x.size / 2, 1), max(4 * x.size, 8)) / span
    basis = np.exp(-1j * np.outer(rates, x))
    return float(rates[np.argmax(np.abs(basis @ (y - y.mean())))])


def _sine_start(model: Model, x: Array, y: Array) -> Array:
    rest, made = y.astype(float).copy(), []
    for _ in range(len(model.coefficients) // 3):
        rate = _main_frequency(x, rest)
        basis = np.column_stack([np.sin(rate * x), np.cos(rate * x)])
        a, b = stoppable.lstsq(basis, rest, rcond=None)[0]
        made += [float(np.hypot(a, b)), rate, float(np.arctan2(b, a))]
        rest = rest - basis @ [a, b]
    return np.array(made)


def _fourier_start(model: Model, x: Array, y: Array) -> Array:
    rate, n = _main_frequency(x, y), (len(model.coefficients) - 2) // 2
    basis = np.column_stack(
        [np.ones_like(x), *(f(k * rate * x) for k in range(1, n + 1) for f in (np.cos, np.sin))]
    )
    return np.append(stoppable.lstsq(basis, y, rcond=None)[0], rate)


_STARTS = {
    "exp": _exponential_start,
    "power": _power_start,
    "gauss": _gauss_start,
    "sin": _sine_start,
    "fourier": _fourier_start,
}


def text_of_kind(model: Model) -> str:
    """The line over the formula in a display."""
    if model.kind == "customnonlinear":
        return "General model:"
    if model.kind == "customlinear":
        return "Linear model:"
    name = model.kind[0].upper() + model.kind[1:]
    return f"{'Linear model' if model.linear else 'General model'} {name}:"
