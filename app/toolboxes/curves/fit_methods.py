"""What can be asked of a fitted curve: coefficients, bounds, slopes, integrals, a drawing."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number, receiver
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.vectors import column, flat_doubles, row
from app.engine.declarations.class_methods import add_methods
from app.engine.declarations.registry import builtin
from app.engine.values import Value, as_array, canonical, is_text_scalar, text_of
from app.errors import MatlabError
from app.toolboxes.curves.fit_objects import Fitted, FitType

_FAMILY = "interpolation"


def _confint(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return canonical(receiver(args, Fitted).bounds(real_number(args[1]) if len(args) > 1 else 0.95))


def _evaluable(ctx: CallContext, f: Fitted) -> Fitted:
    """A fit that has its function, also where it came from another process."""
    f.model.bound(ctx)
    return f


def _differentiate(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Slope and bend by central differences."""
    f, x = _evaluable(ctx, receiver(args, Fitted)), flat_doubles(args[1])
    h = 1e-4 * np.maximum(1.0, np.abs(x))
    near = f.at(x - h), f.at(x), f.at(x + h)
    far = f.at(x - 2 * h), f.at(x + 2 * h)
    slope = (8 * (near[2] - near[0]) - (far[1] - far[0])) / (12 * h)
    return column(slope), column((near[0] - 2 * near[1] + near[2]) / h**2)


def _integrate(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from scipy.integrate import quad

    f, x = _evaluable(ctx, receiver(args, Fitted)), flat_doubles(args[1])
    start = real_number(args[2])
    return column(np.array([quad(lambda p: float(f.at(np.array([p]))[0]), start, e)[0] for e in x]))


def _predint(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Bounds of a new observation (or of the curve) at points."""
    from scipy.stats import t

    f, x = _evaluable(ctx, receiver(args, Fitted)), flat_doubles(args[1])
    level = real_number(args[2]) if len(args) > 2 else 0.95
    words = [text_of(a).lower() for a in args[3:] if is_text_scalar(a)]
    call, covariance = f.model.call, f.spread
    if call is None or covariance is None:
        text = "Prediction intervals need a model with coefficients that were estimated."
        raise MatlabError("curvefit:cfit:predint:noCoefficients", text)
    slopes = np.empty((x.size, f.values.size))
    for k in range(f.values.size):
        step = 1e-6 * max(1.0, abs(float(f.values[k])))
        up, down = f.values.copy(), f.values.copy()
        up[k] += step
        down[k] -= step
        slopes[:, k] = (call(*up, *f.given, x) - call(*down, *f.given, x)) / (2 * step)
    spread = np.einsum("ij,jk,ik->i", slopes, covariance, slopes)
    noise = 0.0 if "functional" in words else f.noise
    reach = t.ppf((1 + level) / 2, f.freedom) * np.sqrt(spread + noise)
    y = f.at(x)
    return canonical(np.column_stack([y - reach, y + reach])), column(y)


def _plot(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Data as points where it is given, and the curve through its range."""
    at, f = next((k, a) for k, a in enumerate(args) if isinstance(a, Fitted))
    _evaluable(ctx, f)
    rest = list(args[at + 1 :])
    data = [flat_doubles(rest.pop(0)) for _ in range(2) if rest and not is_text_scalar(rest[0])]
    held = ctx.call("ishold", (), 1)[0]
    if len(data) == 2:
        ctx.call("plot", (column(data[0]), column(data[1]), "b."), 0)
        ctx.call("hold", ("on",), 0)
    ends = (
        (data[0].min(), data[0].max()) if data else (as_array(ctx.call("xlim", (), 1)[0]).ravel())
    )
    x = np.linspace(ends[0], ends[1], 401)
    made = ctx.call("plot", (column(x), column(f.at(x)), *(rest or ["r-"])), 1)
    if len(data) == 2:
        ctx.call("legend", ("data", "fitted curve"), 0)
        if not held:
            ctx.call("hold", ("off",), 0)
    ctx.call("xlabel", ("x",), 0)
    ctx.call("ylabel", ("y",), 0)
    return made[0] if nargout else ()


add_methods(
    "cfit",
    {
        "coeffvalues": lambda ctx, args, n: row(args[0].values),
        "probvalues": lambda ctx, args, n: row(np.array(args[0].given)),
        "confint": _confint,
        "differentiate": _differentiate,
        "integrate": _integrate,
        "predint": _predint,
        "plot": _plot,
        "feval": lambda ctx, args, n: args[0].paren_get(ctx, args[1:]),
    },
)


def declare_question(name: str, signature: str, summary: str, case: str) -> None:
    """Declare a function that models or fits understand."""

    def call(ctx: CallContext, f: Value, *args: Value, nargout: int = 1) -> Value:
        if not isinstance(f, FitType) or name not in f.methods():
            raise undefined_for_class(name, f)
        return f.methods()[name](ctx, (f, *args), nargout)

    builtin(
        name,
        category=_FAMILY,
        signatures=(signature,),
        text=summary,
        cases=(case,),
        see=("fit", "fittype"),
    )(call)


_LINE = "f = fit((0:3)', [1; 3; 5; 7], 'poly1'); "
declare_question(
    "coeffvalues",
    "v = coeffvalues(f)",
    "The coefficients of a fit, as a row.",
    _LINE + "norm(coeffvalues(f) - [2 1]) < 1e-12",
)
declare_question(
    "coeffnames",
    "c = coeffnames(f)",
    "The names of the coefficients.",
    "isequal(coeffnames(fittype('poly1')), {'p1'; 'p2'})",
)
declare_question(
    "indepnames",
    "c = indepnames(f)",
    "The names of the independent variables.",
    "isequal(indepnames(fittype('poly1')), {'x'})",
)
declare_question(
    "dependnames",
    "c = dependnames(f)",
    "The name of the dependent variable.",
    "isequal(dependnames(fittype('poly1')), {'y'})",
)
declare_question(
    "probnames",
    "c = probnames(f)",
    "The names of the problem parameters.",
    "isequal(probnames(fittype('a*x+n', 'problem', 'n')), {'n'})",
)
declare_question(
    "argnames",
    "c = argnames(f)",
    "The names of all inputs of a model.",
    "isequal(argnames(fittype('a*x')), {'a'; 'x'})",
)
declare_question(
    "numcoeffs",
    "n = numcoeffs(f)",
    "The number of coefficients.",
    "numcoeffs(fittype('gauss2')) == 6",
)
declare_question(
    "formula",
    "t = formula(f)",
    "The expression of a model.",
    "strcmp(formula(fittype('poly1')), 'p1*x + p2')",
)
declare_question(
    "islinear",
    "tf = islinear(f)",
    "True when the coefficients are linear.",
    "islinear(fittype('poly2')) && ~islinear(fittype('exp1'))",
)
declare_question(
    "probvalues",
    "v = probvalues(f)",
    "The values of the problem parameters.",
    "f = fit((1:4)', (2:5)', fittype('a*x + n', 'problem', 'n'), 'problem', 1, "
    "'StartPoint', 0.5); probvalues(f) == 1",
)
declare_question(
    "confint",
    "ci = confint(f, level)",
    "Confidence bounds of the coefficients.",
    "f = fit((0:3)', [1; 3.1; 4.9; 7], 'poly1'); c = confint(f); c(1) < 2 && c(2) > 1.98",
)
declare_question(
    "differentiate",
    "[fx, fxx] = differentiate(f, x)",
    "The first and second derivative of a fitted curve.",
    _LINE + "norm(differentiate(f, [0; 1]) - 2) < 1e-8",
)
declare_question(
    "integrate",
    "a = integrate(f, x, x0)",
    "The integral of a fitted curve from x0.",
    _LINE + "abs(integrate(f, 2, 0) - 6) < 1e-10",
)
declare_question(
    "predint",
    "[ci, y] = predint(f, x, level, intopt)",
    "Bounds of new observations at points.",
    "f = fit((0:5)', [1; 3.1; 4.9; 7; 9; 11.1], 'poly1'); c = predint(f, 2.5); "
    "c(1) < 6 && c(2) > 6",
)
