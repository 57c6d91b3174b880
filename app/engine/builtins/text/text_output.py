"""Formatted text and display: sprintf, fprintf, disp, display, num2str, mat2str, int2str."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import COUNT, POSITIVE
from app.engine.declarations.device_support import METADATA
from app.engine.declarations.registry import builtin
from app.engine.interpreter.file_table import write_text
from app.engine.interpreter.frames import current
from app.engine.interpreter.inputname import given_to
from app.engine.operators import number_text
from app.engine.operators.arithmetic import round_away
from app.engine.values import (
    Array,
    CharArray,
    ObjectArray,
    ObjectValue,
    StringArray,
    Value,
    as_array,
    class_of,
    float_of,
    int_of,
    is_char,
    is_numeric_like,
    is_string,
    is_text_scalar,
    numel,
    print_formats,
    text_of,
)
from app.engine.values.display import DisplayFormat
from app.engine.values.display import disp as disp_text
from app.engine.values.display import display as display_text
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_BYTES_OF_A_LETTER = 4
_FAMILY = "text output"


def format_of(ctx: CallContext) -> DisplayFormat:
    """The display format of the session."""
    form: DisplayFormat = ctx.state.setdefault("display_format", DisplayFormat())
    return form


def _template(v: Value, name: str) -> str:
    if is_char(v) or (is_string(v) and numel(v) == 1):
        return text_of(v)
    if is_numeric_like(v):
        return print_formats.render("%s", (v,))
    raise MatlabError(f"MATLAB:{name}:invalidFormat", "Invalid format.")


@builtin(
    "sprintf",
    category=_FAMILY,
    signatures=("str = sprintf(format, A1, ...)",),
    cases=(
        "strcmp(sprintf('%d,', [1 2 3]), '1,2,3,')",
        "strcmp(sprintf('%5.2f', pi), ' 3.14')",
        "strcmp(sprintf('%d', 1.5), '1.500000e+00')",
        "strcmp(sprintf('%s', 'ab'), 'ab')",
        "strcmp(sprintf('%x', 255), 'ff')",
        "strcmp(sprintf('%d%%', 5), '5%')",
    ),
    see=("fprintf", "num2str"),
)
def sprintf(template: Value, *args: Value) -> Value:
    """Text by a format, used again until all data are written.

    Conversions: %d %i %u %f %e %g %x %o %c %s and %%, with flags, width, precision and ``*``.
    A number that is not whole is written in %e form under %d.
    """
    text = print_formats.render(_template(template, "sprintf"), args)
    return StringArray.scalar(text) if type(template) is StringArray else text


@builtin(
    "fprintf",
    category=_FAMILY,
    signatures=("fprintf(format, A1, ...)", "fprintf(fid, format, A1, ...)", "n = fprintf(...)"),
    cases=("strcmp(evalc('fprintf(''%d;'', 1:3)'), '1;2;3;')",),
    see=("sprintf", "disp"),
)
def fprintf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Write text by a format to the command window or a file."""
    if not args:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    target = 1
    if len(args) > 1 and is_numeric_like(args[0]) and not is_char(args[0]) and numel(args[0]) == 1:
        target, args = int_of(args[0]), args[1:]
    text = print_formats.render(_template(args[0], "fprintf"), args[1:])
    write_text(ctx, target, text)
    return float(len(text.encode(errors="surrogatepass"))) if nargout else ()


@builtin(
    "printf",
    category=_FAMILY,
    signatures=("printf(format, A1, ...)",),
    cases=("strcmp(evalc('printf(''%d'', 5)'), '5')",),
    see=("fprintf",),
)
def printf(ctx: CallContext, template: Value, *args: Value) -> Value:
    """Write text by a format to the command window (Octave's)."""
    ctx.write(print_formats.render(_template(template, "printf"), args))
    return ()


@builtin(
    "disp",
    category=_FAMILY,
    signatures=("disp(X)", "str = disp(X)"),
    device=METADATA,
    cases=("startsWith(evalc('disp([1 2])'), '     1     2')",),
    see=("display", "fprintf", "format"),
)
def disp(ctx: Context, x: Value, *, nargout: int = 0) -> Value:
    """Show a value without its name; in Octave's dialect the text can be had instead."""
    if nargout and not ctx.interpreter.octave:
        raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
    text = disp_text(x, format_of(ctx))
    if nargout:
        return text
    ctx.write(text)
    return ()


@builtin(
    "display",
    category=_FAMILY,
    signatures=("display(X)",),
    device=METADATA,
    cases=("x = 3; contains(evalc('display(x)'), 'x =')",),
    see=("disp",),
)
def display(ctx: Context, x: Value, name: Value | None = None) -> Value:
    """Show a value with its name."""
    frame = current()
    shown = (
        text_of(name)
        if name is not None
        else ((frame and given_to(frame, "display", 1)) or ctx.argument_name(1))
    )
    if isinstance(x, ObjectValue | ObjectArray):
        from app.engine.interpreter.objects.overloads import description

        head = f"{shown} = \n\n" if shown else ""
        ctx.write(f"{head}{description(ctx.objects, x)}\n")
        return ()
    ctx.write(display_text(shown or "ans", x, format_of(ctx)))
    return ()


# --- numbers as text --------------------------------------------------------------------------


@builtin(
    "num2str",
    category="strings",
    signatures=("s = num2str(A)", "s = num2str(A, precision)", "s = num2str(A, format)"),
    cases=(
        "strcmp(num2str(pi), '3.1416')",
        "strcmp(num2str([1 2 3]), '1  2  3')",
        "strcmp(num2str(pi, 8), '3.1415927')",
        "strcmp(num2str(5, '%03d'), '005')",
        "strcmp(num2str(true), '1')",
        "strcmp(num2str(1+2i), '1+2i')",
    ),
    see=("sprintf", "mat2str", "str2num"),
)
def num2str(a: Value, form: Value | None = None) -> Value:
    """Numbers as text with about four decimals, or by a precision or format."""
    if type(a) is float and form is None:
        return number_text.scalar(a)
    if is_char(a):
        return a
    if not is_numeric_like(a):
        text = "Input to num2str must be numeric."
        raise MatlabError("MATLAB:num2str:nonNumericInput", text)
    x = as_array(a)
    if form is not None and is_text_scalar(form):
        return _by_format(x, text_of(form))
    if x.size == 0:
        return ""
    if form is not None:
        COUNT("num2str", 2, form)
        memory.require_array((x.size, int_of(form)), _BYTES_OF_A_LETTER)
    digits = None if form is None else print_formats.field_number(float_of(form))
    if x.size == 1:
        return number_text.scalar(x.flat[0].item(), digits)
    if x.dtype.kind == "c":
        return _complex_rows(x.reshape(x.shape[0], -1, order="F"), digits)
    flat = x.reshape(x.shape[0], -1, order="F")
    return number_text.char_rows(number_text.matrix_rows(flat, digits))


def _by_format(x: Array, template: str) -> Value:
    flat = x.reshape(x.shape[0], -1, order="F")
    rows = [print_formats.render(template, (row.reshape(1, -1),)) for row in flat]
    return number_text.char_rows(number_text.trimmed_rows(rows))


def _complex_rows(x: Array, digits: int | None) -> Value:
    cells = [[number_text.scalar(z, digits) for z in row] for row in x.tolist()]
    width = max(len(t) for row in cells for t in row) + 3
    rows = ["".join(t.rjust(width) for t in row) for row in cells]
    return number_text.char_rows(number_text.trimmed_rows(rows))


@builtin(
    "int2str",
    category="strings",
    signatures=("s = int2str(A)",),
    cases=("strcmp(int2str(2.7), '3')",),
    see=("num2str",),
)
def int2str(a: Value) -> Value:
    """Numbers rounded to whole ones, as text."""
    x = as_array(a)
    return num2str(round_away(x) if x.dtype.kind == "f" else x)


@builtin(
    "mat2str",
    most=3,
    words="class",
    category="strings",
    signatures=("s = mat2str(A)", "s = mat2str(A, n, 'class')"),
    cases=(
        "strcmp(mat2str([1 2; 3 4]), '[1 2;3 4]')",
        "strcmp(mat2str(true), 'true')",
        "strcmp(mat2str([]), 'zeros(0,0)')",
        "strcmp(mat2str('ab'), '''ab''')",
    ),
    see=("num2str",),
)
def mat2str(a: Value, *options: Value) -> Value:
    """A matrix as text that evaluates to it."""
    digits, with_class = 15, False
    for o in options:
        if is_text_scalar(o):
            with_class = True
        else:
            (COUNT & POSITIVE)("mat2str", 2, o)
            digits = int(as_array(o).ravel()[0])
    if is_char(a):
        return _quoted_rows(a)
    if isinstance(a, StringArray):
        rows = [" ".join(map(_double_quoted, row)) for row in a.data]
        return rows[0] if a.data.size == 1 else f"[{';'.join(rows)}]"
    x = as_array(a)
    if x.ndim > 2:
        raise MatlabError("MATLAB:mat2str:TwoDInput", "Input matrix must be 2-D.")
    if x.dtype.char == "d" and x.size < _FEW and np.count_nonzero(np.isfinite(x)) == x.size:
        row = " ".join([f"%.{digits}g"] * x.shape[1])
        shown = ";".join([row] * x.shape[0]) % tuple(x.reshape(-1).tolist())
    else:
        texts = stoppable.heeding(number_text.literal(e, digits) for row in x.tolist() for e in row)
        shown = ";".join([" ".join(islice(texts, x.shape[1])) for _ in range(x.shape[0])])
    body = shown if x.size == 1 else f"[{shown}]"
    if x.size == 0:
        body = f"zeros({x.shape[0]},{x.shape[1]})"
    kind = class_of(a)
    wrap = with_class and kind not in ("double", "logical")
    return f"{kind}({body})" if wrap else body


_FEW = 1 << 14
"""Numbers that are written at once."""


def _double_quoted(text: str | None) -> str:
    return "missing" if text is None else '"' + text.replace('"', '""') + '"'


def _quoted_rows(a: str | CharArray) -> str:
    rows = a.rows() if isinstance(a, CharArray) else [a]
    quoted = ["'" + r.replace("'", "''") + "'" for r in rows]
    return quoted[0] if len(quoted) == 1 else f"[{';'.join(quoted)}]"
