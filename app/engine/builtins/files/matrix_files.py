"""Matrices, cells and lines in files: rows of fields read, writematrix, writecell, readlines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app import paths
from app.engine.arguments.checks import one_of
from app.engine.builtins.files import delimited, spreadsheet
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    is_string,
    is_text_scalar,
    text_of,
    texts_of,
    true_value,
)
from app.errors import MatlabError, said_by_system
from app.textfile import encoded

_FAMILY = "files"


def read_rows(
    name: Value, options: dict[str, Value], function: str, most: int = -1
) -> delimited.Rows:
    """The rows of a text file (or of its first ``most`` bytes) or worksheet, cut to the range asked
    for."""
    path = text_of(name)
    if spreadsheet.is_workbook(path):
        rows = spreadsheet.read_sheet(Path(path), options.get("sheet")).rows
    else:
        encoding = delimited.encoding_of(options, "utf-8-sig")
        text = delimited.file_text(name, function, encoding, most)
        rows = delimited.split_text(text, *delimited.delimiters_option(options)).rows
    whole_sheet = spreadsheet.is_workbook(path) and "range" not in options
    if whole_sheet and function == "readmatrix":
        rows = _without_margin(rows)
    if "range" in options and is_text_scalar(options["range"]):
        rows = delimited.cut(rows, text_of(options["range"]))
    return rows


def _without_margin(rows: delimited.Rows) -> delimited.Rows:
    """A worksheet without the empty rows above and the empty columns left of its data."""
    kept = [r for k, r in enumerate(rows) if any(f is not None for x in rows[: k + 1] for f in x)]
    first = [next((k for k, f in enumerate(r) if f is not None), len(r)) for r in kept]
    left = min(first, default=0)
    return [r[left:] for r in kept]


@builtin(
    "readlines",
    reads_file=True,
    category=_FAMILY,
    signatures=("lines = readlines(file)", "lines = readlines(file, 'EmptyLineRule', 'skip')"),
    cases=('writelines(["a" "b"], \'a.txt\'); n = readlines(\'a.txt\'); n(2) == "b"',),
    see=("writelines", "fileread"),
)
def readlines(name: Value, *args: Value) -> Value:
    """The lines of a file as a column of strings."""
    options = delimited.file_options("readlines", name, args, "EmptyLineRule")
    encoding = delimited.encoding_of(options, "utf-8-sig")
    text = delimited.file_text(name, "readlines", encoding)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rule = one_of("readlines", "EmptyLineRule", options.get("emptylinerule", "read"), "read skip")
    if rule == "skip":
        lines = [line for line in lines if line]
    return StringArray.of(lines, (len(lines), 1))


@builtin(
    "writelines",
    category=_FAMILY,
    signatures=(
        "writelines(lines, file)",
        "writelines(lines, file, 'WriteMode', 'append', 'LineEnding', e)",
    ),
    cases=("writelines([\"a\" \"b\"], 'a.txt'); strcmp(fileread('a.txt'), sprintf('a\\nb\\n'))",),
    see=("readlines",),
)
def writelines(lines: Value, name: Value, *args: Value) -> None:
    """Write texts as the lines of a file."""
    options = delimited.file_options("writelines", name, args, "WriteMode LineEnding")
    ending = text_of(options.get("lineending", "\n")).replace("\\n", "\n").replace("\\r", "\r")
    text = "".join(t + ending for t in texts_of(lines))
    _write("writelines", Path(text_of(name)), text, options)


def _write(function: str, path: Path, text: str, options: dict[str, Value]) -> None:
    wish = options.get("writemode", "overwrite")
    append = one_of(function, "WriteMode", wish, "overwrite append") == "append"
    data = encoded(text, delimited.encoding_of(options, "utf-8"))
    try:
        if append:
            paths.put_at_end(path.expanduser(), data)
        else:
            paths.put_whole(path.expanduser(), data)
    except OSError as problem:
        message = f"Unable to open file '{path}' for writing: {said_by_system(problem)}."
        raise MatlabError("MATLAB:textio:FileNotWritable", message) from problem


def field_text(v: Any, delimiter: str, quotes: str = "minimal") -> str:
    """One value in a text file; texts that hold the delimiter are quoted, or all, or none."""
    if isinstance(v, bool | np.bool_):
        return "1" if v else "0"
    if isinstance(v, complex):
        return f"{v.real:.15g}{v.imag:+.15g}i"
    if isinstance(v, float):
        return "NaN" if v != v else f"{v:.15g}".replace("inf", "Inf")
    text = str(v)
    needed = any(c in text for c in ('"', "\n", delimiter or ","))
    quoted = quotes == "all" or (quotes == "minimal" and needed)
    return '"' + text.replace('"', '""') + '"' if quoted else text


def save_rows(function: str, path: Path, rows: delimited.Rows, options: dict[str, Value]) -> None:
    """Write rows into a text file or worksheet, as the options say."""
    if spreadsheet.is_workbook(str(path)):
        one_of(function, "WriteMode", options.get("writemode", "inplace"), "inplace")
        area = text_of(options["range"]) if "range" in options else "A1"
        origin = delimited.cell_address(area.partition(":")[0])
        cells = [[field_text(v, "") if isinstance(v, complex) else v for v in r] for r in rows]
        spreadsheet.write_sheet(path.expanduser(), cells, options.get("sheet"), origin)
        return
    delimiter = delimited.delimiter_option(options) or ","
    quotes = _quotes(function, options.get("quotestrings", "minimal"))
    lines = [delimiter.join(field_text(v, delimiter, quotes) for v in row) + "\n" for row in rows]
    _write(function, path, "".join(lines), options)


def _quotes(function: str, wish: Value) -> str:
    """Which texts are quoted; true and false stand for all and none."""
    if not is_text_scalar(wish):
        return "all" if true_value(wish) else "none"
    return one_of(function, "QuoteStrings", wish, "minimal all none")


@builtin(
    "writematrix",
    category=_FAMILY,
    signatures=(
        "writematrix(A, file)",
        "writematrix(A, file, 'Delimiter', d, 'Sheet', s, 'Range', r, 'WriteMode', m)",
    ),
    cases=("writematrix([1 2], 'm.csv'); strcmp(strtrim(fileread('m.csv')), '1,2')",),
    see=("readmatrix", "writetable"),
)
def writematrix(a: Value, name: Value, *args: Value) -> None:
    """Write a matrix into a text file or worksheet."""
    if is_string(a):
        rows = [["" if t is None else t for t in r] for r in a.data.tolist()]
    else:
        data = as_array(a)
        rows = data.reshape(data.shape[0], -1, order="F").tolist() if data.size else []
    options = delimited.file_options("writematrix", name, args, delimited.WRITE)
    save_rows("writematrix", Path(text_of(name)), rows, options)


@builtin(
    "writecell",
    category=_FAMILY,
    signatures=("writecell(C, file)", "writecell(C, file, 'Delimiter', d, 'Sheet', s)"),
    cases=("writecell({1, 'a'}, 'c.csv'); strcmp(strtrim(fileread('c.csv')), '1,a')",),
    see=("readcell",),
)
def writecell(c: Value, name: Value, *args: Value) -> None:
    """Write a cell of numbers and texts into a text file or worksheet."""
    if not isinstance(c, Cell):
        raise MatlabError("MATLAB:writecell:InvalidInput", "First input must be a cell array.")
    rows = [[plain_value(v) for v in row] for row in c.data.tolist()]
    options = delimited.file_options("writecell", name, args, delimited.WRITE)
    save_rows("writecell", Path(text_of(name)), rows, options)


def plain_value(v: Value) -> Any:
    """An element as a plain number or text."""
    if is_string(v) or hasattr(v, "to_strings"):
        found = v.data.flat[0] if is_string(v) else v.to_strings().data.flat[0]
        return "" if found is None else found
    if isinstance(v, np.ndarray):
        return v.flat[0].item() if v.size else ""
    return v
