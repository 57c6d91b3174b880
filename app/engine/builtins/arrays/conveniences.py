"""Small conveniences: merge, lookup, nthargout, celldisp, inline."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    FINITE,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    WHOLE,
    enough,
)
from app.engine.builtins.arrays import array_forms
from app.engine.builtins.text.text_output import format_of
from app.engine.declarations.device_support import CONTAINER, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.operators.texts import is_text
from app.engine.values import (
    Cell,
    Value,
    as_array,
    int_of,
    is_text_scalar,
    numel,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.engine.values.display import display as display_text
from app.errors import MatlabError


@builtin(
    "merge",
    category="logic",
    signatures=("r = merge(mask, tval, fval)",),
    device=term_form(array_forms.merge),
    cases=("merge(true, 1, 2) == 1", "isequal(merge([true false], [1 2], [3 4]), [1 4])"),
    see=("ifelse",),
)
def merge(mask: Value, when_true: Value, when_false: Value) -> Value:
    """Choose elements by a mask (Octave's)."""
    flags = as_array(mask)
    if flags.dtype != np.bool_:
        raise MatlabError("Octave:invalid-input-type", "merge: first argument MASK must be logical")
    if flags.size == 1:
        return when_true if flags.flat[0] else when_false
    return rebuild(when_true, np.where(flags, data_of(when_true), data_of(when_false)))


@builtin(
    "ifelse",
    category="logic",
    signatures=("r = ifelse(mask, tval, fval)",),
    device=term_form(array_forms.merge),
    cases=("ifelse(false, 1, 2) == 2",),
    see=("merge",),
)
def ifelse(mask: Value, when_true: Value, when_false: Value) -> Value:
    """Choose elements by a mask (Octave's)."""
    return merge(mask, when_true, when_false)


@builtin(
    "lookup",
    category="sorting and searching",
    signatures=("k = lookup(table, y)", "k = lookup(table, y, options)"),
    cases=("isequal(lookup([1 2 3], [0.5 2.5 9]), [0 2 3])",),
    see=("interp1", "histc"),
)
def lookup(table: Value, y: Value, options: Value = "") -> Value:
    """Index of the last table entry that is not larger (Octave's)."""
    flags = text_of(options)
    if is_text(table):
        names = texts_of(table)
        wanted = texts_of(y)
        keys = np.searchsorted(np.array(names), np.array(wanted), side="right").astype(float)
        found = np.where([n in names for n in wanted], keys, 0.0) if "m" in flags else keys
        return unwrap(found.reshape(y.shape if isinstance(y, Cell) else (-1, 1)))
    edges, values = as_array(table).ravel(order="F"), as_array(y)
    if edges.size > 1 and edges[0] > edges[-1]:
        places = edges.size - np.searchsorted(edges[::-1], values, side="left")
    else:
        places = np.searchsorted(edges, values, side="right")
    places = places.astype(np.float64)
    if "m" in flags or "b" in flags:
        hit = edges[np.clip(places.astype(int) - 1, 0, edges.size - 1)] == values
        return unwrap(hit if "b" in flags else np.where(hit, places, 0.0))
    low = 1.0 if "l" in flags else 0.0
    high = float(edges.size - 1 if "r" in flags else edges.size)
    return unwrap(np.clip(places, low, high))


def _output_numbers(n: Value) -> list[int]:
    """Numbers of outputs, from 1."""
    (NUMBERS & REAL & NONEMPTY & FINITE & WHOLE & POSITIVE)("nthargout", 1, n)
    return [int(k) for k in as_array(n).ravel()]


@builtin(
    "nthargout",
    category="functions",
    signatures=("y = nthargout(n, fun, x1, ...)",),
    device=CONTAINER,
    cases=("nthargout(2, @max, [1 5 3]) == 2",),
    see=("feval",),
)
def nthargout(ctx: CallContext, n: Value, function: Value, *args: Value) -> Value:
    """The n-th output of a function (Octave's)."""
    wanted = _output_numbers(n)
    count = max(wanted)
    if not is_text_scalar(function) and not hasattr(function, "target"):
        enough(args, 1)
        COUNT("nthargout", 2, function)
        count, function, args = int_of(function), args[0], args[1:]
    if count < max(wanted):
        text = f"Output {max(wanted)} is asked for, and only {count} are."
        raise MatlabError("Octave:undefined-function", text)
    outputs = ctx.call(function if hasattr(function, "target") else text_of(function), args, count)
    chosen = [outputs[k - 1] for k in wanted]
    return chosen[0] if len(chosen) == 1 else Cell.of(chosen)


@builtin(
    "celldisp",
    category="cells",
    signatures=("celldisp(C)", "celldisp(C, name)"),
    cases=("c = {1, 'a'}; contains(evalc('celldisp(c)'), 'c{2}')",),
    see=("disp",),
)
def celldisp(ctx: CallContext, c: Value, name: Value | None = None) -> Value:
    """Show every element of a cell array with its place."""
    if not isinstance(c, Cell):
        raise MatlabError("MATLAB:celldisp:notCellArray", "Input must be a cell array.")
    _show_cells(ctx, c, text_of(name) if name is not None else "c")
    return ()


def _show_cells(ctx: CallContext, c: Cell, name: str) -> None:
    size = size_of(c)
    is_vector = len(size) == 2 and 1 in size
    for k, place in enumerate(np.ndindex(*size[::-1])):
        item: Value = c.data[place[::-1]]
        index = str(k + 1) if is_vector else ",".join(str(p + 1) for p in place[::-1])
        label = f"{name}{{{index}}}"
        if isinstance(item, Cell) and numel(item):
            _show_cells(ctx, item, label)
        else:
            ctx.write(display_text(label, item, format_of(ctx)))


@builtin(
    "inline",
    category="functions",
    signatures=("f = inline(expr)", "f = inline(expr, arg1, ...)"),
    cases=("feval(inline('x^2'), 3) == 9",),
    see=("str2func",),
)
def inline(ctx: CallContext, expression: Value, *names: Value) -> Value:
    """Function from the text of an expression (old form of an anonymous function)."""
    import re

    text = text_of(expression)
    arguments = [text_of(n) for n in names if is_text_scalar(n)]
    if len(set(arguments)) < len(arguments):
        raise MatlabError("MATLAB:Inline:duplicateArg", "The arguments must have different names.")
    if not arguments:
        words = set(re.findall(r"(?<![\w.])[A-Za-z]\w*(?!\w*\s*\()", text))
        arguments = sorted(words - {"i", "j", "pi", "e", "Inf", "NaN", "eps"}) or ["x"]
    return ctx.parse_handle(f"@({', '.join(arguments)}) {text}")


@builtin(
    "vech",
    category="arrays",
    signatures=("v = vech(A)",),
    cases=("isequal(vech([1 2; 2 3]), [1; 2; 3])",),
)
def vech(a: Value) -> Value:
    """The lower triangle as a column (Octave's)."""
    x = as_array(a)
    return unwrap(np.concatenate([x[k:, k] for k in range(x.shape[1])]).reshape(-1, 1))


@builtin(
    "isstr",
    category="questions",
    signatures=("tf = isstr(A)",),
    cases=("isstr('a')",),
    see=("ischar",),
)
def isstr(a: Value) -> Value:
    """True for char arrays (old name of ischar)."""
    return is_text(a) and not isinstance(a, Cell)
