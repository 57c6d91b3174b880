"""``textscan``, ``strread`` and ``textread``: columns from text by a format."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.text.text_fields import (
    Fields,
    column_value,
    looks_like_format,
    read_columns,
)
from app.engine.builtins.text.textscan_formats import Options, Spec, parse
from app.engine.declarations.registry import builtin
from app.engine.interpreter.file_table import open_file_of
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Cell,
    Value,
    canonical,
    float_of,
    int_of,
    is_char,
    is_numeric_like,
    is_string,
    numel,
    size_of,
    text_of,
    unwrap,
)
from app.errors import MatlabError, said_by_system

_FAMILY = "text input"
_NAMES = (
    "delimiter",
    "headerlines",
    "whitespace",
    "endofline",
    "commentstyle",
    "emptyvalue",
    "multipledelimsasone",
    "collectoutput",
    "returnonerror",
    "treatasempty",
    "texttype",
    "expchars",
    "datelocale",
    "bufsize",
)


def _arguments(rest: list[Value]) -> tuple[str, float, list[Value]]:
    """Format, repeat count and options."""
    template, repeat = "%f", math.inf
    if rest and looks_like_format(rest[0]) and text_of(rest[0]).lower() not in _NAMES:
        template = text_of(rest.pop(0)) or "%f"
    if rest and is_numeric_like(rest[0]) and not is_char(rest[0]):
        count = float_of(rest.pop(0)) if numel(rest[0]) else -1.0
        repeat = math.inf if count < 0 else count
    return template, repeat, rest


@builtin(
    "textscan",
    category=_FAMILY,
    signatures=(
        "C = textscan(fid, format)",
        "C = textscan(fid, format, n)",
        "[C, position] = textscan(text, format, 'Delimiter', ',', ...)",
    ),
    cases=(
        "isequal(textscan('1 2 3 4', '%f %f'), {[1; 3], [2; 4]})",
        "isequal(textscan('a,1;b,2', '%s%d', 'Delimiter', ',', 'EndOfLine', ';'), "
        "{{'a'; 'b'}, int32([1; 2])})",
        "c = textscan('2020-01-02,a', '%{yyyy-MM-dd}D%C', 'Delimiter', ','); "
        "c{1} == datetime(2020, 1, 2) && c{2} == 'a'",
        "nthargout(2, @textscan, sprintf('x\\r\\n1 2\\r\\n3'), '%f', 2, 'HeaderLines', 1) == 8",
    ),
    see=("sscanf", "readtable", "fscanf"),
)
def textscan(ctx: CallContext, source: Value, *rest: Value) -> Value:
    """Read columns from a text or an open file: a cell with one column per field of the format.

    Options: Delimiter, HeaderLines, CommentStyle, EmptyValue, TreatAsEmpty, CollectOutput,
    MultipleDelimsAsOne, Whitespace, EndOfLine, TextType, ExpChars; ReturnOnError false makes a
    field that is no number an error. ``%D`` and ``%{yyyy-MM-dd}D`` are datetimes, ``%T`` durations,
    ``%C`` is a categorical.
    """
    template, repeat, pairs = _arguments(list(rest))
    options = Options().read(pairs)
    file, data = None, b""
    if is_char(source) or is_string(source):
        text = text_of(source)
    else:
        file = open_file_of(ctx, int_of(source))
        data = file.read()
        text = file.decode(data)
    specs = parse(template)
    if len(specs) == 1 and specs[0].kind == "f" and options.delimiters and not rest_has(rest):
        options.line_end = options.line_end or "\n"
    fields = Fields(text, options)
    columns = read_columns(fields, specs, repeat)
    position = fields.position()
    if file is not None and position < len(text):
        file.stream.seek(-file.bytes_behind(data, position), os.SEEK_CUR)
        file.at_end = False
    kept = [s for s in specs if s.kind != "t" and not s.skip]
    values = [
        _in_class(ctx, s, column_value(s, c, options)) for s, c in zip(kept, columns, strict=True)
    ]
    if options.collect:
        values = _joined_neighbours(kept, values)
    return Cell.of(values), float(position if file is None else file.stream.tell())


_CLASSES = {"D": "datetime", "T": "duration", "C": "categorical"}


def _in_class(ctx: CallContext, spec: Spec, column: Value) -> Value:
    """A column of texts as dates, durations or categories where the format says so."""
    if spec.kind not in _CLASSES:
        return column
    form = ("InputFormat", spec.text, "Format", spec.text) if spec.text else ()
    return ctx.call(_CLASSES[spec.kind], (column, *form))[0]


def rest_has(rest: tuple[Value, ...]) -> bool:
    """Whether a format was given."""
    return bool(rest) and looks_like_format(rest[0]) and text_of(rest[0]).lower() not in _NAMES


def _joined_neighbours(specs: list[Spec], values: list[Value]) -> list[Value]:
    """Neighbours of one class joined side by side, as far as they have equal height."""
    made: list[Value] = []
    previous = ""
    for spec, value in zip(specs, values, strict=True):
        kind = "cell" if isinstance(value, Cell) else spec.kind
        if made and kind == previous and size_of(made[-1])[0] == size_of(value)[0]:
            made[-1] = concatenate(1, (made[-1], value))
        else:
            made.append(value)
        previous = kind
    return made


def _separate(text: str, rest: list[Value], nargout: int) -> tuple[Value, ...]:
    """One output per column."""
    template, repeat, pairs = _arguments(rest)
    options = Options(whitespace=" \b\r\n\t", integers=False).read(pairs)
    if options.delimiters:
        options.whitespace = options.whitespace.replace("\n", "")
    specs = parse(template)
    columns = read_columns(Fields(text, options), specs, repeat)
    kept = [s for s in specs if s.kind != "t" and not s.skip]
    if len(kept) < nargout:
        problem = "Number of outputs must match the number of unskipped input fields."
        raise MatlabError("MATLAB:strread:NumberOfOutputsMismatch", problem)
    return tuple(
        v if isinstance(v, Cell | str) else canonical(v) if isinstance(v, np.ndarray) else v
        for v in (column_value(s, c, options) for s, c in zip(kept, columns, strict=True))
    )


@builtin(
    "strread",
    category=_FAMILY,
    signatures=(
        "[a, b, ...] = strread(text, format)",
        "a = strread(text)",
        "[a, b, ...] = strread(text, format, n, 'delimiter', ',', ...)",
    ),
    cases=("isequal(strread('1 2 3'), [1; 2; 3])",),
    see=("textscan",),
)
def strread(text: Value, *rest: Value, nargout: int = 1) -> Value:
    """Read columns from a text, one output each; the newer function is textscan."""
    return _separate(text_of(text), list(rest), nargout)


@builtin(
    "textread",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "[a, b, ...] = textread(file, format)",
        "[a, b, ...] = textread(file, format, n, 'headerlines', 1, ...)",
    ),
    cases=(
        'writelines(["1 2" "3 4"], \'a.txt\'); '
        "[a, b] = textread('a.txt', '%d %d'); isequal([a b], [1 2; 3 4])",
    ),
    see=("textscan", "readtable"),
)
def textread(file: Value, *rest: Value, nargout: int = 1) -> Value:
    """Read columns from a file, one output each; the newer function is textscan."""
    path = Path(text_of(file))
    try:
        paths.check_file(path)
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        message = f"Unable to read '{path}': {said_by_system(problem)}."
        raise MatlabError("MATLAB:textread:FileNotFound", message) from problem
    return _separate(text, list(rest), nargout)


@builtin(
    "fskipl",
    category=_FAMILY,
    signatures=("n = fskipl(fid, count)",),
    cases=(
        "writelines([\"a\" \"b\"], 'a.txt'); f = fopen('a.txt'); fskipl(f, 1); "
        "x = fgetl(f); fclose(f); strcmp(x, 'b')",
    ),
    see=("fgetl",),
)
def fskipl(ctx: CallContext, fid: Value, count: Value = 1.0) -> Value:
    """Skip lines of a file and give how many were skipped (Octave's)."""
    file = open_file_of(ctx, int_of(fid))
    wanted, skipped = float_of(count), 0
    while skipped < wanted and file.line().endswith(b"\n"):
        skipped += 1
    return unwrap(np.array([[float(skipped)]]))
