"""Matrices and cells in files: readmatrix, writematrix, csvread, dlmwrite, xlsread and kin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.engine.builtins import delimited, spreadsheet
from app.engine.builtins.formatting import render, unescape
from app.engine.builtins.registry import builtin
from app.engine.values import (
    EMPTY,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_string,
    is_text_scalar,
    object_array,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "files"


def read_rows(name: Value, options: dict[str, Value], function: str) -> list[list[Any]]:
    """The rows of a text file or worksheet, cut to the range asked for."""
    path = text_of(name)
    if spreadsheet.is_workbook(path):
        rows = spreadsheet.read_sheet(Path(path), options.get("sheet")).rows
    else:
        text = delimited.file_text(name, function)
        rows = delimited.split_text(text, delimited.delimiter_option(options)).rows
    if "range" in options and is_text_scalar(options["range"]):
        rows = delimited.cut(rows, text_of(options["range"]))
    return rows


@builtin("readmatrix", category=_FAMILY,
         signatures=("A = readmatrix(file)", "A = readmatrix(file, 'NumHeaderLines', n, "
                     "'Delimiter', d, 'Sheet', s, 'Range', r, 'OutputType', t)"),
         see=("writematrix", "readtable", "readcell"))  # fmt: skip
def readmatrix(name: Value, *args: Value) -> Value:
    """The numbers of a text file or worksheet; header lines are left out, other text is NaN."""
    options = delimited.named_options(args)
    rows = read_rows(name, options, "readmatrix")
    if "numheaderlines" in options:
        rows = rows[int(as_array(options["numheaderlines"]).flat[0]) :]
    elif "range" not in options:
        rows = rows[delimited.header_rows(rows) :]
    kind = text_of(options["outputtype"]) if "outputtype" in options else "double"
    if kind in ("string", "char"):
        data = np.array([["" if f is None else str(f) for f in r] for r in rows], dtype=object)
        return StringArray(data) if kind == "string" else Cell(data)
    from app.engine.builtins.conversion import convert

    return convert(canonical(delimited.numbers(rows)), kind)


@builtin("readcell", category=_FAMILY,
         signatures=("C = readcell(file)", "C = readcell(file, 'Delimiter', d, 'Sheet', s)"),
         see=("writecell", "readmatrix"))  # fmt: skip
def readcell(name: Value, *args: Value) -> Value:
    """The fields of a text file or worksheet in a cell: numbers and texts."""
    options = delimited.named_options(args)
    sheet = delimited.Sheet(read_rows(name, options, "readcell"))
    if "numheaderlines" in options:
        sheet.rows = sheet.rows[int(as_array(options["numheaderlines"]).flat[0]) :]
    items = [[_field(f) for f in row] for row in sheet.padded()]
    data = np.empty((len(items), sheet.width), dtype=object)
    for i, row in enumerate(items):
        for j, value in enumerate(row):
            data[i, j] = value
    return Cell(data)


def _field(f: Any) -> Value:
    if f is None or (isinstance(f, str) and not f.strip()):
        return StringArray.scalar(None)
    if isinstance(f, str):
        return delimited.to_number(f) if delimited.is_number(f) else f.strip()
    return f


@builtin("readlines", category=_FAMILY,
         signatures=("lines = readlines(file)", "lines = readlines(file, 'EmptyLineRule', 'skip')"),
         see=("writelines", "fileread"))  # fmt: skip
def readlines(name: Value, *args: Value) -> Value:
    """The lines of a file as a column of strings."""
    options = delimited.named_options(args)
    text = delimited.file_text(name, "readlines")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if "emptylinerule" in options and text_of(options["emptylinerule"]) == "skip":
        lines = [line for line in lines if line]
    return StringArray.of(lines, (len(lines), 1))


@builtin("writelines", category=_FAMILY,
         signatures=("writelines(lines, file)", "writelines(lines, file, 'WriteMode', 'append')"),
         see=("readlines",))  # fmt: skip
def writelines(lines: Value, name: Value, *args: Value) -> None:
    """Write texts as the lines of a file."""
    _write(Path(text_of(name)), "".join(t + "\n" for t in texts_of(lines)), args)


def _write(path: Path, text: str, args: tuple[Value, ...]) -> None:
    options = delimited.named_options(args)
    append = "writemode" in options and text_of(options["writemode"]).lower() == "append"
    try:
        with path.expanduser().open("a" if append else "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as problem:
        message = f"Unable to open file '{path}' for writing: {problem.strerror}."
        raise MatlabError("MATLAB:textio:FileNotWritable", message) from problem


def field_text(v: Any, delimiter: str) -> str:
    """One value in a text file; texts that hold the delimiter are quoted."""
    if isinstance(v, bool | np.bool_):
        return "1" if v else "0"
    if isinstance(v, complex):
        return f"{v.real:.15g}{v.imag:+.15g}i"
    if isinstance(v, float):
        return "NaN" if v != v else f"{v:.15g}".replace("inf", "Inf")
    text = str(v)
    quoted = any(c in text for c in ('"', "\n", delimiter or ","))
    return '"' + text.replace('"', '""') + '"' if quoted else text


def save_rows(path: Path, rows: list[list[Any]], args: tuple[Value, ...]) -> None:
    """Write rows into a text file or worksheet, as the options say."""
    options = delimited.named_options(args)
    if spreadsheet.is_workbook(str(path)):
        area = text_of(options["range"]) if "range" in options else "A1"
        origin = delimited.cell_address(area.partition(":")[0])
        spreadsheet.write_sheet(path.expanduser(), rows, options.get("sheet"), origin)
        return
    delimiter = delimited.delimiter_option(options) or ","
    lines = [delimiter.join(field_text(v, delimiter) for v in row) + "\n" for row in rows]
    kept = tuple(x for k, v in options.items() if k == "writemode" for x in (k, v))
    _write(path, "".join(lines), kept)


@builtin("writematrix", category=_FAMILY,
         signatures=("writematrix(A, file)", "writematrix(A, file, 'Delimiter', d, 'Sheet', s, "
                     "'Range', r, 'WriteMode', m)"), see=("readmatrix", "writetable"))  # fmt: skip
def writematrix(a: Value, name: Value, *args: Value) -> None:
    """Write a matrix into a text file or worksheet."""
    if is_string(a):
        rows = [["" if t is None else t for t in r] for r in a.data.tolist()]
    else:
        data = as_array(a)
        rows = data.reshape(data.shape[0], -1, order="F").tolist()
    save_rows(Path(text_of(name)), rows, args)


@builtin("writecell", category=_FAMILY,
         signatures=("writecell(C, file)", "writecell(C, file, 'Delimiter', d, 'Sheet', s)"),
         see=("readcell",))  # fmt: skip
def writecell(c: Value, name: Value, *args: Value) -> None:
    """Write a cell of numbers and texts into a text file or worksheet."""
    rows = [[_plain(v) for v in row] for row in c.data.tolist()]
    save_rows(Path(text_of(name)), rows, args)


def _plain(v: Value) -> Any:
    if is_string(v) or hasattr(v, "to_strings"):
        found = v.data.flat[0] if is_string(v) else v.to_strings().data.flat[0]
        return "" if found is None else found
    if isinstance(v, np.ndarray):
        return v.flat[0].item() if v.size else ""
    return v


# --- the older functions ------------------------------------------------------------------------


def _range(rows: list[list[Any]], args: list[Value]) -> list[list[Any]]:
    """Rows from 0-based row and column, or within [r1 c1 r2 c2] or A1..B2."""
    if not args:
        return rows
    if is_char(args[0]) or is_string(args[0]):
        return delimited.cut(rows, text_of(args[0]).replace("..", ":"))
    numbers = [int(n) for a in args for n in as_array(a).ravel()]
    if len(numbers) >= 6:
        numbers = numbers[-4:]
    top, left = numbers[0], numbers[1] if len(numbers) > 1 else 0
    bottom, right = (numbers[2], numbers[3]) if len(numbers) >= 4 else (len(rows), 1 << 20)
    return [row[left : right + 1] for row in rows[top : bottom + 1]]


def _read_numbers(name: Value, delimiter: str | None, args: list[Value], function: str) -> Value:
    text = delimited.file_text(name, function)
    rows = _range(delimited.split_text(text, delimiter).rows, args)
    if not rows:
        return EMPTY
    return canonical(np.where(np.isnan(data := delimited.numbers(rows)) & _blank(rows, data.shape),
                              0, data))  # fmt: skip


def _blank(rows: list[list[Any]], shape: tuple[int, ...]) -> Any:
    """True for empty fields, which these functions read as zero."""
    flags = np.ones(shape, dtype=bool)
    for i, row in enumerate(rows):
        for j, f in enumerate(row):
            flags[i, j] = not str(f).strip()
    return flags


@builtin("csvread", category=_FAMILY,
         signatures=("M = csvread(file)", "M = csvread(file, row, col)",
                     "M = csvread(file, row, col, [r1 c1 r2 c2])"),
         see=("dlmread", "readmatrix"))  # fmt: skip
def csvread(name: Value, *args: Value) -> Value:
    """Numbers of a comma-separated file; empty fields are zero."""
    return _read_numbers(name, ",", list(args), "csvread")


@builtin("dlmread", category=_FAMILY,
         signatures=("M = dlmread(file)", "M = dlmread(file, delimiter)",
                     "M = dlmread(file, delimiter, row, col)",
                     "M = dlmread(file, delimiter, range)"), see=("dlmwrite",))  # fmt: skip
def dlmread(name: Value, *args: Value) -> Value:
    """Numbers of a delimited file; the delimiter is guessed unless given."""
    rest = list(args)
    empty = None
    if len(rest) >= 2 and is_char(rest[-2]) and text_of(rest[-2]).lower() == "emptyvalue":
        empty = float(as_array(rest[-1]).flat[0])
        del rest[-2:]
    given = bool(rest) and (is_char(rest[0]) or is_string(rest[0])) and (
        len(rest) > 1 or len(unescape(text_of(rest[0]))) <= 1)  # fmt: skip
    delimiter = unescape(text_of(rest.pop(0))) if given else None
    if empty is not None:
        rows = _range(delimited.split_text(delimited.file_text(name, "dlmread"), delimiter).rows,
                      rest)  # fmt: skip
        data = delimited.numbers(rows)
        return canonical(np.where(_blank(rows, data.shape), empty, data))
    return _read_numbers(name, delimiter or None, rest, "dlmread")


@builtin("csvwrite", category=_FAMILY,
         signatures=("csvwrite(file, M)", "csvwrite(file, M, row, col, ...)"),
         see=("dlmwrite", "writematrix"))  # fmt: skip
def csvwrite(name: Value, a: Value, *options: Value) -> None:
    """Write a matrix as comma-separated text with five significant digits."""
    dlmwrite(name, a, ",", *options)


@builtin("dlmwrite", category=_FAMILY,
         signatures=("dlmwrite(file, M)", "dlmwrite(file, M, delimiter)",
                     "dlmwrite(file, M, 'delimiter', d, 'precision', p)",
                     "dlmwrite(file, M, '-append', ...)"), see=("dlmread",))  # fmt: skip
def dlmwrite(name: Value, a: Value, *args: Value) -> None:
    """Write a matrix as delimited text."""
    rest, words = list(args), {"delimiter": ",", "newline": "\n", "precision": "%.5g"}
    append, free = False, list[str]()
    offset: list[int] = []
    shifts: dict[str, int] = {}
    while rest:
        item = rest.pop(0)
        word = text_of(item).lower() if is_text_scalar(item) else ""
        if word == "-append":
            append = True
        elif word == "append" and rest:
            append = text_of(rest.pop(0)).lower() == "on"
        elif word in ("roffset", "coffset") and rest:
            shifts[word] = int(as_array(rest.pop(0)).flat[0])
        elif word in words and rest:
            words[word] = _word(rest.pop(0))
        elif is_text_scalar(item):
            free.append(unescape(text_of(item)))
        else:
            offset.append(int(as_array(item).flat[0]))
    words.update(zip(("delimiter", "newline"), free, strict=False))
    top, left, *_ = [*offset, 0, 0]
    place = [shifts.get("roffset", top), shifts.get("coffset", left)]
    _write_matrix(Path(text_of(name)), a, words, place, append)


def _word(value: Value) -> str:
    if is_text_scalar(value):
        word = unescape(text_of(value))
        return {"pc": "\r\n", "unix": "\n"}.get(word, word)
    return f"%.{int(as_array(value).flat[0])}g"


def _write_matrix(
    path: Path, a: Value, words: dict[str, str], offset: list[int], append: bool
) -> None:
    data = as_array(a)
    flat = data.reshape(data.shape[0], -1, order="F")
    delimiter, end = words["delimiter"], words["newline"]
    lines = [delimiter * (offset[1] + flat.shape[1] - 1)] * offset[0]
    for row in flat:
        fields = [_formatted(x, words["precision"]) for x in row.tolist()]
        lines.append(delimiter * offset[1] + delimiter.join(fields))
    with path.open("a" if append else "w", encoding="utf-8", newline="") as stream:
        stream.writelines(line + end for line in lines)


def _formatted(x: Any, template: str) -> str:
    if isinstance(x, complex):
        sign = "+" if x.imag >= 0 else "-"
        return f"{render(template, (x.real,))}{sign}{render(template, (abs(x.imag),))}i"
    return render(template, (float(x),))


@builtin("xlsread", category=_FAMILY,
         signatures=("[num, txt, raw] = xlsread(file)", "num = xlsread(file, sheet, range)"),
         see=("xlswrite", "readtable", "readmatrix"))  # fmt: skip
def xlsread(name: Value, *args: Value) -> Value:
    """Numbers, texts and all values of a worksheet."""
    sheet = next((a for a in args if not (is_char(a) and ":" in text_of(a))), None)
    area = next((text_of(a) for a in args if is_char(a) and ":" in text_of(a)), "")
    rows = spreadsheet.read_sheet(Path(text_of(name)), sheet).rows
    rows = delimited.cut(rows, area) if area else rows
    raw = delimited.Sheet(rows).padded()
    places = [(i, j) for i, r in enumerate(raw) for j, f in enumerate(r) if isinstance(f, float)]
    texts = [[f if isinstance(f, str) else "" for f in r] for r in raw]
    if not places:
        numbers: Value = EMPTY
    else:
        top, left = (min(p[k] for p in places) for k in (0, 1))
        bottom, right = (max(p[k] for p in places) for k in (0, 1))
        numbers = canonical(np.array([
            [f if isinstance(f, float) else np.nan for f in r[left : right + 1]]
            for r in raw[top : bottom + 1]]))  # fmt: skip
    flat = [np.nan if f is None else f for r in zip(*raw, strict=True) for f in r]
    shape = (len(raw), len(raw[0]) if raw else 0)
    return numbers, Cell(np.array(texts, dtype=object).reshape(shape)), Cell(
        object_array(flat, shape))


@builtin("xlswrite", category=_FAMILY,
         signatures=("xlswrite(file, A)", "[ok, message] = xlswrite(file, A, sheet, range)"),
         see=("xlsread", "writetable"))  # fmt: skip
def xlswrite(name: Value, a: Value, *args: Value, nargout: int = 0) -> Value:
    """Write a matrix or cell into a worksheet."""
    path = Path(text_of(name))
    path = path if path.suffix else path.with_name(path.name + ".xlsx")
    spreadsheet.is_workbook(str(path))
    rows = [[_plain(v) for v in r] for r in a.data.tolist()] if is_cell(a) else as_array(a).tolist()
    area = next((text_of(x) for x in args if is_char(x) and text_of(x)[-1:].isdigit()
                 and text_of(x)[:1].isalpha() and len(args) > 1), "")  # fmt: skip
    sheet = next((x for x in args if not is_char(x) or text_of(x) != area), None)
    origin = delimited.cell_address(area.partition(":")[0]) if area else (0, 0)
    spreadsheet.write_sheet(path, rows, sheet, origin)
    return (True, "") if nargout else None


@builtin("sheetnames", category=_FAMILY, signatures=("names = sheetnames(file)",),
         see=("readtable",))  # fmt: skip
def sheetnames(name: Value) -> Value:
    """Names of a workbook's sheets as a column of strings."""
    names = spreadsheet.sheet_names(Path(text_of(name)))
    return StringArray.of(names, (len(names), 1))
