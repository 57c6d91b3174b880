"""Tables in files: readtable, writetable, readtimetable, importdata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import split_pairs, switch_of
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_convert import table2timetable, table_cells
from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.import_functions import ImportOptions, planned_read
from app.engine.builtins.files.import_options import read_table
from app.engine.builtins.files.matrix_files import save_rows
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    Struct,
    Value,
    as_array,
    canonical,
    int_of,
    is_numeric_like,
    is_string,
    numel,
    object_array,
    size_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "files"


@builtin(
    "readtable",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "T = readtable(file)",
        "T = readtable(file, 'ReadVariableNames', tf, "
        "'Delimiter', d, 'HeaderLines', n, 'Sheet', s, 'Range', r, "
        "'ReadRowNames', tf, 'TextType', t)",
        "T = readtable(file, options)",
    ),
    cases=(
        "writetable(table([1; 2], 'VariableNames', {'n'}), 't.csv'); "
        "t = readtable('t.csv'); isequal(t.n, [1; 2])",
    ),
    see=("writetable", "readmatrix", "table"),
)
def readtable(name: Value, *args: Value) -> Value:
    """A table from a text file or worksheet; numbers, dates and texts are told apart by column.

    ``options`` come from ``detectImportOptions``. Further names: NumHeaderLines, VariableNames,
    VariableNamingRule, CommentStyle, TreatAsMissing, DecimalSeparator, ThousandsSeparator.
    """
    if args and isinstance(args[0], ImportOptions):
        return planned_read("readtable", args[0], args[1:]).read(name)
    options = delimited.file_options("readtable", name, args, delimited.READ_TABLE)
    return read_table(name, options)


@builtin(
    "readtimetable",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "TT = readtimetable(file)",
        "TT = readtimetable(file, 'RowTimes', times, ...)",
        "TT = readtimetable(file, 'SampleRate', f, 'StartTime', t, ...)",
        "TT = readtimetable(file, 'TimeStep', dt, 'StartTime', t, ...)",
    ),
    cases=(
        "t = timetable(datetime(2020, 1, 1:2)', [3; 4]); "
        "writetimetable(t, 't.csv'); height(readtimetable('t.csv')) == 2",
    ),
    see=("readtable",),
)
def readtimetable(name: Value, *args: Value) -> Value:
    """A timetable from a file: its first column of dates labels the rows, or times given here.

    Further names are those of readtable.
    """
    times, others = split_pairs(args, ("rowtimes", "samplerate", "timestep", "starttime"))
    return table2timetable(readtable(name, *others), *times)


@builtin(
    "writetable",
    category=_FAMILY,
    signatures=(
        "writetable(T, file)",
        "writetable(T, file, 'WriteVariableNames', tf, "
        "'WriteRowNames', tf, 'Delimiter', d, 'Sheet', s, 'Range', r)",
    ),
    cases=(
        "writetable(table(1, 'VariableNames', {'n'}), 't.csv'); startsWith(fileread('t.csv'), 'n')",
    ),
    see=("readtable", "writematrix"),
)
def writetable(t: Value, name: Value = "table.txt", *args: Value) -> None:
    """Write a table into a text file or worksheet, its names in the first row."""
    t = table_argument(t, "writetable")
    known = f"{delimited.WRITE} WriteVariableNames WriteRowNames"
    options = delimited.file_options("writetable", name, args, known)
    header, rows = _rows(t)
    if "writerownames" in options and switch_of("writerownames", options.pop("writerownames")):
        header = [t.dimension_names[0], *header] if t.row_names else header
        rows = [[n, *r] for n, r in zip(t.row_names, rows, strict=True)] if t.row_names else rows
    _save_table("writetable", name, header, rows, options)


def _save_table(
    function: str, name: Value, header: list[str], rows: delimited.Rows, options: dict[str, Value]
) -> None:
    """Save rows below their names, unless WriteVariableNames is false."""
    named = switch_of("writevariablenames", options.pop("writevariablenames", True))
    save_rows(function, Path(text_of(name)), [header, *rows] if named else rows, options)


@builtin(
    "writetimetable",
    category=_FAMILY,
    signatures=("writetimetable(TT, file)",),
    cases=("t = timetable(datetime(2020, 1, 1), 3); writetimetable(t, 't.csv'); isfile('t.csv')",),
    see=("writetable",),
)
def writetimetable(t: Value, name: Value = "table.txt", *args: Value) -> None:
    """Write a timetable into a file, the times in its first column."""
    t = table_argument(t, "writetimetable")
    if t.times is None:
        raise MatlabError("MATLAB:writetimetable:InvalidInput", "Input must be a timetable.")
    known = f"{delimited.WRITE} WriteVariableNames"
    options = delimited.file_options("writetimetable", name, args, known)
    whole = Table({t.dimension_names[0]: t.times, **t.columns}, t.height)
    _save_table("writetimetable", name, *_rows(whole), options)


def _rows(t: Table) -> tuple[list[str], list[list[Any]]]:
    """Header and rows of plain values; variables of several columns are spread."""
    header: list[str] = []
    columns: list[list[Any]] = []
    for name, column in t.columns.items():
        count = size_of(column)[1]
        if isinstance(column, NativeArray):
            values = np.array([x or "" for x in column.texts()], dtype=object)
            data = values.reshape(column.shape, order="F")
        elif is_string(column) or isinstance(column, Cell):
            data = column.data
        elif is_numeric_like(column) and not isinstance(column, str):
            data = as_array(column)
        else:
            data = table_cells(Table({name: column}, t.height))
            count = 1
        header += [name] if count == 1 else [f"{name}_{k + 1}" for k in range(count)]
        columns += [[_cell_content(x) for x in data[:, k].tolist()] for k in range(count)]
    return header, [list(r) for r in zip(*columns, strict=True)]


def _cell_content(v: Any) -> Any:
    if v is None:
        return ""
    if isinstance(v, np.ndarray):
        return v.flat[0].item() if v.size else ""
    return v.data.flat[0] if is_string(v) else v


@builtin(
    "importdata",
    reads_file=True,
    category=_FAMILY,
    signatures=("A = importdata(file)", "[A, delimiter, headers] = importdata(file, d, n)"),
    cases=("writematrix([1 2; 3 4], 'm.csv'); isequal(importdata('m.csv'), [1 2; 3 4])",),
    see=("readmatrix", "load", "textscan"),
)
def importdata(
    ctx: CallContext, name: Value, delimiter: Value | None = None, header: Value | None = None
) -> Value:
    """Data of a file by its kind: a struct of a MAT-file's variables, an image, sound, or numbers
    with their text (fields data, textdata, colheaders), of a workbook with several sheets by their
    names."""
    suffix = Path(text_of(name)).suffix.lower()
    if suffix == ".mat":
        (found,) = ctx.call("load", (name,), 1)
        return found, "", 0.0
    if suffix in (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".gif"):
        return ctx.call("imread", (name,), 1)[0], "", 0.0
    if spreadsheet.is_workbook(text_of(name)):
        return _workbook(ctx, name), "", 0.0
    text = delimited.file_text(name, "importdata")
    chosen = (
        text_of(delimiter)
        if delimiter is not None and text_of(delimiter)
        else (delimited.delimiter_of(text))
    )
    chosen = "\t" if chosen == "\\t" else chosen
    rows = delimited.split_text(text, chosen).rows
    count = int_of(header) if header is not None else delimited.header_rows(rows)
    shown = chosen or ("" if all(len(r) < 2 for r in rows[count:]) else " ")
    if not any(delimited.is_number(f) and str(f).strip() for r in rows for f in r):
        lines = text.splitlines()
        return Cell(object_array(lines, (len(lines), 1))), "", float(len(lines))
    return _imported_data(rows, count, text.splitlines()), shown, float(count)


def _workbook(ctx: CallContext, name: Value) -> Value:
    """What is on the sheets of a workbook: numbers alone, or a struct of them and their text."""
    sheets = spreadsheet.sheet_names(Path(text_of(name)))
    found = [ctx.call("xlsread", (name, sheet), 2) for sheet in sheets]
    if len(sheets) == 1:
        return _sheet_data(*found[0])
    fields: dict[str, dict[str, Value]] = {}
    for sheet, parts in zip(sheets, found, strict=True):
        field = text_of(ctx.call("matlab.lang.makeValidName", (sheet,), 1)[0])
        for kind, part in zip(("data", "textdata"), parts, strict=True):
            if numel(part):
                fields.setdefault(kind, {})[field] = part
    return Struct({kind: Struct(parts) for kind, parts in fields.items()})


def _sheet_data(data: Value, text: Value) -> Value:
    """The numbers and the text of a sheet, those that there are; one row of text above the numbers
    is their ``colheaders``, one column beside them their ``rowheaders``."""
    if not numel(text) or not numel(data):
        return text if numel(text) else data
    fields = {"data": data, "textdata": text}
    (rows, columns), held = size_of(data), size_of(text)
    if held == (1, columns):
        fields["colheaders"] = text
    elif held == (rows, 1):
        fields["rowheaders"] = text
    return Struct(fields)


def _is_text(field: Any) -> bool:
    return bool(str(field).strip()) and not delimited.is_number(field)


def _imported_data(rows: list[list[Any]], count: int, lines: list[str]) -> Value:
    """Numbers alone, or a struct of numbers, text and headers of columns and rows."""
    body = rows[count:]
    labels = all(r and not delimited.is_number(r[0]) for r in body)
    numbers = canonical(delimited.numbers([r[1:] for r in body] if labels else body))
    stray = [] if labels else [str(f) for r in body for f in r if _is_text(f)]
    if not count and not labels and not stray:
        return numbers
    fields: dict[str, Value] = {"data": numbers}
    names = [str(r[0]) for r in body] if labels else []
    if count == 1 and not stray:
        fields["textdata"] = Cell(np.array([rows[0]], dtype=object))
    else:
        texts = [*lines[:count], *names, *stray]
        fields["textdata"] = Cell(object_array(texts, (len(texts), 1)))
    width = as_array(numbers).shape[1]
    if count and len(rows[count - 1]) in (width, width + labels):
        fields["colheaders"] = Cell(np.array([rows[count - 1][-width:]], dtype=object))
    if labels:
        fields["rowheaders"] = Cell(object_array(names, (len(names), 1)))
    return Struct(fields)
