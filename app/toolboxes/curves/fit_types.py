"""Models to fit: fittype, fitoptions."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs
from app.engine.declarations.registry import builtin
from app.engine.values import (
    FunctionHandle,
    Struct,
    Value,
    is_cell,
    is_string,
    is_struct,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.errors import MatlabError
from app.toolboxes.curves.fit_objects import FitType
from app.toolboxes.curves.models import (
    Model,
    custom,
    function_of_handle,
    linear,
    of_library,
)

_FAMILY = "interpolation"
_OPTIONS = (
    "startpoint",
    "lower",
    "upper",
    "weights",
    "exclude",
    "problem",
    "method",
    "robust",
    "normalize",
    "smoothingparam",
    "maxiter",
    "maxfunevals",
    "tolfun",
    "tolx",
    "display",
    "algorithm",
    "diffminchange",
    "diffmaxchange",
    "span",
    "trustregion",
)
Options = dict[str, Value]


@builtin(
    "fittype",
    category=_FAMILY,
    least=1,
    signatures=(
        "f = fittype(name)",
        "f = fittype(expression)",
        "f = fittype(terms)",
        "f = fittype(function, 'coefficients', names, 'independent', names)",
        "f = fittype(..., 'independent', x, 'dependent', y, 'problem', names)",
    ),
    cases=(
        "isequal(coeffnames(fittype('a*exp(-b*x) + c')), {'a'; 'b'; 'c'})",
        "f = fittype('a*x^2'); f(3, 2) == 12",
        "numcoeffs(fittype({'cos(x)', '1'})) == 2",
    ),
    see=("fit", "fitoptions"),
)
def fittype(ctx: CallContext, what: Value, *args: Value) -> Value:
    """A model to fit: a name of the library, an expression, a cell of linear terms, a function.

    The library has polyN and polyMN, expN, gaussN, sinN, fourierN, powerN, ratMN, weibull,
    nearestinterp, linearinterp, pchipinterp, cubicinterp and smoothingspline.
    """
    options = option_pairs("fittype", args, "Independent Problem Coefficients Dependent Options")
    if isinstance(what, FitType):
        return FitType(what.model)
    chosen = options.get("options")
    kept = {k.lower(): v for k, v in chosen.fields.items()} if isinstance(chosen, Struct) else {}
    return FitType(model_of(ctx, what, options), kept)


def model_of(ctx: CallContext, what: Value, options: Options) -> Model:
    """The model that a text, a cell or a function describes."""
    variables = texts_of(options["independent"]) if "independent" in options else None
    problem = (
        texts_of(options["problem"])
        if "problem" in options and not _numbers(options["problem"])
        else []
    )
    names = texts_of(options["coefficients"]) if "coefficients" in options else None
    if isinstance(what, FunctionHandle):
        made = _of_handle(ctx, what, variables, names, problem)
    elif is_cell(what) or (is_string(what) and numel(what) > 1):
        made = linear(texts_of(what), names)
        made.variables = variables or ["x"]
    elif is_text_scalar(what):
        library = of_library(text_of(what))
        free = ["x", "y"] if variables is None and _names_y(text_of(what)) else ["x"]
        made = library or custom(ctx, text_of(what), variables or free, names, problem)
    else:
        raise MatlabError(
            "curvefit:fittype:invalidInput", "A model is a text, a cell of terms or a function."
        )
    if "dependent" in options:
        made.dependent = text_of(options["dependent"])
    return made.bound(ctx)


def _names_y(text: str) -> bool:
    """An expression in x and y is a surface."""
    import re

    return all(re.search(rf"(?<![\w.]){n}(?!\w)", text) for n in "xy")


def _numbers(v: Value) -> bool:
    return not (is_text_scalar(v) or is_string(v)) and not (
        is_cell(v) and v.data.size and all(is_text_scalar(t) for t in v.items())
    )


def _of_handle(
    ctx: CallContext,
    f: FunctionHandle,
    variables: list[str] | None,
    names: list[str] | None,
    problem: list[str],
) -> Model:
    import re

    match = re.match(r"@\(([^)]*)\)\s*(.*)", f.text, re.DOTALL)
    inputs = [n.strip() for n in match.group(1).split(",")] if match else []
    variables = variables or ["x"]
    names = names or [n for n in inputs if n not in variables and n not in problem]
    if not names:
        text = "The function needs coefficients before its variables."
        raise MatlabError("curvefit:fittype:noCoefficients", text)
    made = Model(
        "customnonlinear", match.group(2) if match else f"{f.text}(...)", names, variables, problem
    )
    made.call = function_of_handle(ctx, f)
    return made


@builtin(
    "fitoptions",
    category=_FAMILY,
    least=0,
    signatures=(
        "options = fitoptions(name, value, ...)",
        "options = fitoptions(model)",
        "options = fitoptions(old, name, value, ...)",
    ),
    cases=("fitoptions('Method', 'NonlinearLeastSquares', 'Lower', 0).Lower == 0",),
    see=("fit",),
)
def fitoptions(*args: Value) -> Value:
    """Options for ``fit``: StartPoint, Lower, Upper, Weights, Exclude, Normalize and others."""
    fields: dict[str, Value] = {}
    rest = list(args)
    while rest and (is_struct(rest[0]) or isinstance(rest[0], FitType) or len(rest) % 2):
        first = rest.pop(0)
        if is_struct(first):
            fields |= first.fields
        elif is_text_scalar(first) and of_library(text_of(first)) is None:
            text = f"'{text_of(first)}' is not a model of the library."
            raise MatlabError("curvefit:fitoptions:unknownModel", text)
    for name, value in option_pairs("fitoptions", rest).items():
        fields[option_named(name)] = value
    return Struct(fields)


def option_named(name: str) -> str:
    """An option's full name."""
    found = [o for o in _OPTIONS if o.startswith(name)]
    if not found:
        raise MatlabError("curvefit:fitoptions:unknownOption", f"There is no option '{name}'.")
    return {
        "startpoint": "StartPoint",
        "smoothingparam": "SmoothingParam",
        "maxiter": "MaxIter",
        "maxfunevals": "MaxFunEvals",
        "tolfun": "TolFun",
        "tolx": "TolX",
    }.get(found[0], found[0].capitalize())
