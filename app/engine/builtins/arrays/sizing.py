"""Arrays made longer, shorter or limited, and asked for gaps: paddata, clip, allfinite …."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NONNEGATIVE,
    NUMBERS,
    WHOLE,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.arrays import sorting_forms
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.declarations.device_support import SELF, of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    EMPTY,
    Array,
    FunctionHandle,
    NativeObject,
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
    is_cell,
    is_struct,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "arrays"


def _plan(
    name: str, a: Value, size: Value, args: tuple[Value, ...]
) -> tuple[Array, dict[int, int], dict[str, Value]]:
    """The elements, the wanted length of every dimension, and the options."""
    (NUMBERS & WHOLE & NONNEGATIVE & NONEMPTY)(name, 2, size)
    fills = "" if name == "trimdata" else " FillValue Pattern"
    options = option_pairs(name, args, "Dimension Side" + fills)
    data, wanted = _elements(name, a), as_array(size).ravel().astype(int)
    data = np.reshape(data, (*data.shape, *[1] * (wanted.size - data.ndim)), order="F")
    if "dimension" in options:
        axes = [int(d) - 1 for d in as_array(options["dimension"]).ravel()]
    elif wanted.size == 1:
        axes = [next((k for k, n in enumerate(data.shape) if n != 1), 0)]
    else:
        axes = list(range(wanted.size))
    if len(axes) != wanted.size:
        message = "There must be a length for every dimension."
        raise MatlabError(f"MATLAB:{name}:InvalidSize", message)
    return data, dict(zip(axes, map(int, wanted), strict=True)), options


def _elements(name: str, a: Value) -> Array:
    if isinstance(a, NativeArray):
        return a.data
    if isinstance(a, NativeObject):
        text = f"{name} does not take a {class_of(a)}: give it the arrays that are in it."
        raise MatlabError(f"MATLAB:{name}:InvalidInput", text)
    return data_of(a)


def _of_elements(a: Value, data: Array) -> Value:
    return a.like(data) if isinstance(a, NativeArray) else rebuild(a, data)


def _side(options: dict[str, Value]) -> str:
    side = text_of(options.get("side", "trailing")).lower()
    if side not in ("trailing", "leading", "both"):
        message = "The side must be trailing, leading or both."
        raise MatlabError("MATLAB:resize:InvalidSide", message)
    return side


def _trimmed_data(data: Array, lengths: dict[int, int], side: str) -> Array:
    for axis, n in lengths.items():
        extra = data.shape[axis] - n
        if extra > 0:
            start = {"trailing": 0, "leading": extra, "both": extra // 2}[side]
            data = np.take(data, np.arange(start, start + n), axis=axis)
    return data


def _blank_of(a: Value, data: Array) -> Any:
    """What stands in new places: zero, an empty cell, a missing value, a struct of empty fields."""
    if isinstance(a, NativeArray):
        return np.nan
    if is_cell(a):
        return EMPTY
    if is_struct(a):
        return Struct(dict.fromkeys(a.fields, EMPTY))
    return None if data.dtype == object else data.dtype.type(0)


def _padded_data(
    a: Value, data: Array, lengths: dict[int, int], options: dict[str, Value]
) -> Array:
    side = _side(options)
    widths = [(0, 0)] * max(data.ndim, 1 + max(lengths))
    data = data.reshape(data.shape + (1,) * (len(widths) - data.ndim))
    for axis, n in lengths.items():
        more = max(n - data.shape[axis], 0)
        first = {"trailing": 0, "leading": more, "both": more // 2}[side]
        widths[axis] = (first, more - first)
    modes = {"edge": "edge", "circular": "wrap", "flip": "symmetric", "reflect": "reflect"}
    known = " ".join(("constant", *modes))
    pattern = one_of("paddata", "Pattern", options.get("pattern", "constant"), known)
    if pattern in modes:
        return np.pad(data, widths, mode=modes[pattern])  # type: ignore[call-overload,no-any-return]
    fill: Any = options.get("fillvalue")
    if isinstance(fill, FunctionHandle):
        raise MatlabError("MATLAB:paddata:InvalidFillValue", "FillValue must be a value to repeat.")
    if fill is None:
        value = _blank_of(a, data)
    else:
        value = (a.accept(fill).data if isinstance(a, NativeArray) else data_of(fill)).flat[0]
    inner = tuple(slice(w[0], w[0] + data.shape[k]) for k, w in enumerate(widths))
    whole = [data.shape[k] + sum(w) for k, w in enumerate(widths)]
    made: Array = np.empty(whole, data.dtype)
    made.fill(value)
    made[inner] = data
    return made


@builtin(
    "paddata",
    category=_FAMILY,
    signatures=("B = paddata(A, m)", "B = paddata(..., 'FillValue', v, 'Side', s)"),
    cases=(
        "isequal(paddata([1 2], 4), [1 2 0 0])",
        "isequal(paddata([1 2], 4, 'Pattern', 'edge', 'Side', 'leading'), [1 1 1 2])",
        "isequal(paddata({1, 2}, 4, 'FillValue', {[7 8]}), {1, 2, [7 8], [7 8]})",
        'isequal(paddata({1, 2}, 3), {1, 2, []}) && any(ismissing(paddata("a", 2)))',
        "x = paddata(datetime(2020, 1, 1:2), 3); numel(x) == 3 && isnat(x(3))",
        "x = paddata(categorical({'a', 'b'}), 3, 'FillValue', 'a'); isequal(x(3), x(1))",
        "s = paddata(struct('a', {1, 2}), 3); numel(s) == 3 && isempty(s(3).a)",
        "isequal(paddata({1, 2}, 3, 'FillValue', {7}, 'Side', 'leading'), {7, 1, 2})",
    ),
    see=("trimdata", "resize", "padarray"),
)
def paddata(a: Value, m: Value, *args: Value) -> Value:
    """Make dimensions at least so long. Options: Dimension, FillValue, Pattern, Side."""
    data, lengths, options = _plan("paddata", a, m, args)
    return _of_elements(a, _padded_data(a, data, lengths, options))


@builtin(
    "trimdata",
    category=_FAMILY,
    signatures=("B = trimdata(A, m)", "B = trimdata(..., 'Side', s)"),
    cases=("isequal(trimdata(1:5, 3), 1:3)",),
    see=("paddata", "resize"),
)
def trimdata(a: Value, m: Value, *args: Value) -> Value:
    """Make dimensions at most so long. Options: Dimension, Side."""
    data, lengths, options = _plan("trimdata", a, m, args)
    return _of_elements(a, _trimmed_data(data, lengths, _side(options)))


@builtin(
    "resize",
    category=_FAMILY,
    signatures=(
        "B = resize(A, m)",
        "B = resize(A, m, n, ...)",
        "B = resize(..., 'FillValue', v, 'Side', s)",
    ),
    cases=(
        "isequal(resize(1:3, 2), 1:2)",
        "isequal(resize(1:3, 4), [1 2 3 0])",
        "isequal(resize(eye(2), 3, 1), [1; 0; 0])",
    ),
    see=("paddata", "trimdata", "reshape"),
)
def resize(a: Value, m: Value, *args: Value) -> Value:
    """Make dimensions exactly so long. Options: Dimension, FillValue, Pattern, Side."""
    if args and not is_text_scalar(args[0]):  # one length after the other is Octave's form
        m, args = canonical(np.array([[real_number(v) for v in (m, *args)]])), ()
    data, lengths, options = _plan("resize", a, m, args)
    kept = _trimmed_data(data, lengths, _side(options))
    return _of_elements(a, _padded_data(a, kept, lengths, options))


@builtin(
    "clip",
    category=_FAMILY,
    signatures=("C = clip(A, lower, upper)",),
    device=SELF,
    cases=("isequal(clip([1 5 9], 2, 6), [2 5 6])",),
    see=("min", "max", "rescale"),
)
def clip(ctx: CallContext, a: Value, lower: Value, upper: Value) -> Value:
    """Elements limited to a range."""
    (raised,) = ctx.call("max", (a, lower), 1)
    return ctx.call("min", (raised, upper), 1)[0]


def declare_any(name: str, test: str, summary: str, case: str, *, every: bool = False) -> None:
    """Declare a question about all elements together."""

    def ask(ctx: CallContext, a: Value) -> Value:
        (found,) = ctx.call(test, (a,), 1)
        return ctx.call("all" if every else "any", (found, "all"), 1)[0]

    builtin(
        name,
        category="questions",
        signatures=(f"tf = {name}(A)",),
        device=SELF,
        cases=(case,),
        text=summary,
        see=(test,),
    )(ask)


declare_any(
    "allfinite",
    "isfinite",
    "True if no element is infinite or NaN.",
    "~allfinite([1 Inf])",
    every=True,
)
declare_any(
    "anymissing", "ismissing", "True if some element is missing.", 'anymissing(["a" missing])'
)


@builtin(
    "isuniform",
    category="questions",
    signatures=("[tf, step] = isuniform(A)",),
    cases=("isuniform([1 2 3])", "~isuniform([1 2 4])"),
    see=("linspace", "diff"),
)
@takes(NUMBERS)
def isuniform(a: Value) -> Value:
    """True for evenly spaced vectors, to a few rounding errors; and the spacing."""
    x = as_array(a).astype(np.float64)
    if x.size < 2 or max(x.shape) != x.size or not np.isfinite(x).all():
        return False, float("nan")
    flat = x.ravel()
    step = (flat[-1] - flat[0]) / (flat.size - 1)
    near = 4 * np.spacing(np.abs(flat).max())
    even = bool((np.abs(np.diff(flat) - step) <= near).all())
    return even, float(step) if even else float("nan")


@builtin(
    "isapprox",
    category="questions",
    signatures=(
        "tf = isapprox(A, B)",
        "tf = isapprox(A, B, level)",
        "tf = isapprox(..., 'AbsoluteTolerance', a, 'RelativeTolerance', r)",
    ),
    cases=("isapprox(0.1 + 0.2, 0.3)", "~isapprox(1, 1.1)"),
    see=("eq", "eps"),
)
@takes(NUMBERS, NUMBERS)
def isapprox(a: Value, b: Value, *args: Value) -> Value:
    """True where elements are equal within tolerances: verytight (1e-15), tight (1e-12), loose
    (1e-8) or veryloose (1e-3)."""
    rest = list(args)
    level = text_of(rest.pop(0)).lower() if len(rest) % 2 else "verytight"
    known = {"verytight": 1e-15, "tight": 1e-12, "loose": 1e-8, "veryloose": 1e-3}
    if level not in known:
        message = f"The level must be one of {', '.join(known)}."
        raise MatlabError("MATLAB:isapprox:invalidTolerance", message)
    x, y = as_array(a), as_array(b)
    scale = 1e7 if np.float32 in (x.dtype, y.dtype) else 1.0
    options = option_pairs("isapprox", rest, "AbsoluteTolerance RelativeTolerance")
    near = known[level] * scale
    absolute = real_number(options.get("absolutetolerance", near))
    relative = real_number(options.get("relativetolerance", near))
    size = np.maximum(np.abs(x), np.abs(y))
    with np.errstate(invalid="ignore"):
        close = (x == y) | (np.abs(x - y) <= np.maximum(absolute, relative * size))
    return canonical(np.asarray(close))


@builtin(
    "topkrows",
    category="sorting and searching",
    signatures=("[B, I] = topkrows(A, k)", "[B, I] = topkrows(A, k, columns, direction)"),
    device=of_resident(sorting_forms.topkrows),
    cases=("isequal(topkrows([1; 3; 2], 2), [3; 2])",),
    see=("sortrows", "maxk"),
)
def topkrows(
    ctx: CallContext, a: Value, k: Value, columns: Value | None = None, direction: Value = "descend"
) -> Value:
    """The first rows in descending order."""
    COUNT("topkrows", 2, k)
    if columns is not None and is_text_scalar(columns):
        columns, direction = None, columns
    every = (
        canonical(np.arange(1.0, as_array(a).shape[1] + 1).reshape(1, -1))
        if (columns is None and isinstance(a, np.ndarray))
        else columns
    )
    given = (every,) if every is not None else ()
    ordered, places = ctx.call("sortrows", (a, *given, direction), 2)
    count = min(int(real_number(k)), numel(places))
    rows = canonical(np.arange(1.0, count + 1).reshape(1, -1))
    from app.engine.interpreter.indexing.index_read import paren

    return paren(ordered, rows, ":"), paren(places, rows)
