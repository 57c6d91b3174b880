"""Arrays and cells from files: readmatrix and readcell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.arguments.checks import one_of
from app.engine.builtins.arrays.conversion import convert
from app.engine.builtins.arrays.missing_values import one_missing
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_convert import table2cell
from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.import_functions import ImportOptions, planned_read
from app.engine.builtins.files.import_options import (
    Variable,
    converted_column,
    kind_of,
    plain_number,
)
from app.engine.builtins.files.matrix_files import read_rows
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    int_of,
    object_array,
    text_of,
    texts_of,
)

_FAMILY = "files"
_NUMBERS = "TreatAsMissing DecimalSeparator ThousandsSeparator"


@builtin(
    "readmatrix",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "A = readmatrix(file)",
        "A = readmatrix(file, 'NumHeaderLines', n, "
        "'Delimiter', d, 'Sheet', s, 'Range', r, 'OutputType', t)",
        "A = readmatrix(file, opts)",
    ),
    cases=("writematrix([1 2; 3 4], 'm.csv'); isequal(readmatrix('m.csv'), [1 2; 3 4])",),
    see=("writematrix", "readtable", "readcell"),
)
def readmatrix(name: Value, *args: Value) -> Value:
    """The numbers of a text file or worksheet; header lines are left out, other text is NaN."""
    if args and isinstance(args[0], ImportOptions):
        plan = planned_read("readmatrix", args[0], args[1:])
        return _side_by_side(plan.read(name, "readmatrix"))
    known = f"{delimited.READ} OutputType {_NUMBERS} CommentStyle EmptyValue"
    options = delimited.file_options("readmatrix", name, args, known)
    rows = _without_comments(read_rows(name, options, "readmatrix"), options)
    if options.keys() & set(_NUMBERS.lower().split()):
        rows = [[plain_number(f, options) if isinstance(f, str) else f for f in r] for r in rows]
    if "numheaderlines" in options:
        rows = rows[int_of(options["numheaderlines"]) :]
    elif "range" not in options:
        rows = rows[delimited.lines_of_remarks(rows) :]
        rows = rows[delimited.header_rows(rows) :]
    rows = _without_empty_lines(name, rows)
    kind = text_of(options["outputtype"]) if "outputtype" in options else "double"
    if kind in ("string", "char"):
        data = np.array([["" if f is None else str(f) for f in r] for r in rows], dtype=object)
        return StringArray(data) if kind == "string" else Cell(data)
    if "emptyvalue" in options:
        filled = as_array(options["emptyvalue"]).flat[0]
        rows = [[filled if _is_empty(f) else f for f in r] for r in delimited.Sheet(rows).padded()]
    return convert(canonical(delimited.numbers(rows)), kind)


def _is_empty(field: object) -> bool:
    return field is None or (isinstance(field, str) and not field.strip())


def _side_by_side(t: Table) -> Value:
    """The variables of a table in one array."""
    return concatenate(1, list(t.columns.values())) if t.columns else np.zeros((t.height, 0))


def _without_comments(rows: delimited.Rows, options: dict[str, Value]) -> delimited.Rows:
    if "commentstyle" not in options:
        return rows
    marks = tuple(texts_of(options["commentstyle"]))[:1]
    return [r for r in rows if not r or not str(r[0] or "").lstrip().startswith(marks)]


def _without_empty_lines(name: Value, rows: delimited.Rows) -> delimited.Rows:
    """The rows of a worksheet, or those of a text that have fields."""
    if spreadsheet.is_workbook(text_of(name)):
        return rows
    return [row for row in rows if not delimited.is_empty_line(row)]


@builtin(
    "readcell",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "C = readcell(file)",
        "C = readcell(file, 'Delimiter', d, 'Sheet', s)",
        "C = readcell(file, opts)",
    ),
    cases=("writecell({1, 'a'}, 'c.csv'); isequal(readcell('c.csv'), {1, 'a'})",),
    see=("writecell", "readmatrix"),
)
def readcell(name: Value, *args: Value) -> Value:
    """The fields of a text file or worksheet in a cell: numbers, dates, durations and texts."""
    if args and isinstance(args[0], ImportOptions):
        return table2cell(planned_read("readcell", args[0], args[1:]).read(name, "readcell"))
    known = f"{delimited.READ} {_NUMBERS} CommentStyle DatetimeType DurationType TextType"
    options = delimited.file_options("readcell", name, args, known)
    sheet = delimited.Sheet(_without_comments(read_rows(name, options, "readcell"), options))
    if "numheaderlines" in options:
        sheet.rows = sheet.rows[int_of(options["numheaderlines"]) :]
    sheet.rows = _without_empty_lines(name, sheet.rows)
    reader = _Fields(options)
    columns = [reader.column(column) for column in zip(*sheet.padded(), strict=True)]
    shape = (len(sheet.rows), sheet.width)
    return Cell(object_array([value for column in columns for value in column], shape))


class _Fields:
    """How single fields become values, by the options of ``readcell``."""

    def __init__(self, options: dict[str, Value]) -> None:
        def wish(option: str, known: str) -> str:
            return one_of(
                "readcell", option, options.get(option.lower(), known.split(maxsplit=1)[0]), known
            )

        self.dates = wish("DatetimeType", "datetime text") == "datetime"
        self.times = wish("DurationType", "duration text") == "duration"
        self.strings = wish("TextType", "char string") == "string"
        self.options = options

    def column(self, column: Sequence[object]) -> list[Value]:
        """A column's fields as values."""
        known = {f: self.value(f) for f in dict.fromkeys(column) if type(f) is str}
        return [known[f] if type(f) is str else self.value(f) for f in column]

    def value(self, f: object) -> Value:
        """A number, a date, a duration or a text; a missing value for an empty field."""
        f = plain_number(f, self.options) if isinstance(f, str) else f
        if f is None or (isinstance(f, str) and not f.strip()):
            return one_missing()
        if not isinstance(f, str):
            return f
        number = delimited.to_number(f)
        if number == number or delimited.is_number(f):
            return number
        text = f.strip()
        kind = kind_of([text], "char", {})
        if (kind == "datetime" and self.dates) or (kind == "duration" and self.times):
            return converted_column([text], Variable("", kind))
        return StringArray.scalar(text) if self.strings else text
