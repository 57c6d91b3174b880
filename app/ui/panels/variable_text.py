"""Numbers and tables of the variable editor as text, and back."""

from __future__ import annotations

import re

from app import textfile

_SPLIT = re.compile(r"[\t;,]|\s+")
_NUMBER = re.compile(
    r"[-+]?(?:\d++\.?\d*+|\.\d+)(?:[eE][-+]?\d+)?[ij]?|[-+]?(?:nan|inf)|true|false", re.IGNORECASE
)

_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+|),\d+(?:[eE][-+]?\d+)?")
"""A number with a comma as its decimal mark, and points between its thousands."""
_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
"""What is a number with a comma between its thousands as well."""
_POINT = re.compile(r"[-+]?(?:(?:\d+|\d{1,3}(?:,\d{3})+)\.(?:\d{1,2}|\d{4,})|0?\.\d+|\d{4,}\.\d+)")
"""A number with a point as its decimal mark, and nothing else."""
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+")
"""What is a whole number where commas are decimal marks."""
_SCALAR = re.compile(f"(?:{_NUMBER.pattern}){{1,2}}", re.IGNORECASE)


def number_text(value: float) -> str:
    """A number as MATLAB writes it."""
    return "NaN" if value != value else f"{value:.6g}"


def cells_of(text: str) -> list[list[str]]:
    """The rows of a table from a spreadsheet or a text; nothing when they are not even.

    What a spreadsheet copies has a tab between the cells, which may then hold blanks or be empty,
    quotes around what holds tabs, line ends or quotes itself, and its language's decimal mark.
    Other text is a table where it has numbers only, or several lines with as many commas or
    semicolons each; else lines are cells.
    """
    text = text.replace("\r\n", "\n").strip("\n")
    lines = text.split("\n")
    if "\t" in text:
        quoted = _separated_cells(text, "\t")
        cells = quoted or _even([[cell.strip() for cell in line.split("\t")] for line in lines])
        return _with_points(cells)
    rows = [[cell for cell in _SPLIT.split(line.strip()) if cell] for line in lines]
    if all(_is_number(cell) for row in rows for cell in row):
        return _even(rows)
    tables = [_separated_cells(text, mark) for mark in ",;"] if len(lines) > 1 else []
    return next((table for table in tables if table and len(table[0]) > 1), _lines(lines))


def _with_points(cells: list[list[str]]) -> list[list[str]]:
    """The cells with numbers written as ``1.5``, where all say that their comma is a decimal mark.

    ``1,500`` alone may be either: it stays a text.
    """
    commas = [cell for row in cells for cell in row if _COMMA.fullmatch(cell)]
    grouped = [_GROUPED.fullmatch(cell) is not None for cell in commas]
    points = any(_POINT.fullmatch(cell) for row in cells for cell in row)
    if not commas or points or all(grouped):
        return cells
    return [[_with_point(cell) for cell in row] for row in cells]


def _with_point(cell: str) -> str:
    number = _COMMA.fullmatch(cell) or _THOUSANDS.fullmatch(cell)
    return cell.replace(".", "").replace(",", ".") if number else cell


def _separated_cells(text: str, mark: str) -> list[list[str]]:
    rows = textfile.separated_rows(text, mark)
    return _even([[cell.strip() for cell in row] for row in rows])


def _even(rows: list[list[str]]) -> list[list[str]]:
    return rows if len({len(row) for row in rows}) == 1 and rows[0] else []


def _lines(lines: list[str]) -> list[list[str]]:
    cells = [[line.strip()] for line in lines]
    return cells if any(cell for (cell,) in cells) else []


def matlab_string(text: str) -> str:
    """A text as a MATLAB string."""
    lines = [line.replace('"', '""') for line in text.split("\n")]
    return " + char(10) + ".join(f'"{line}"' for line in lines)


def typed_code(text: str, shown: str, kind: str) -> str:
    """What somebody wrote over an element, as code: over a text, a date or a category it is a text.

    Whatever is in quotes is code, and what reads as code where anything can stand, or a date.
    """
    over_text = shown.startswith(("'", '"')) or kind == "elements"
    if kind == "table" and not over_text:
        over_text = not _SCALAR.fullmatch(shown)
    number = kind in ("cell", "struct") and _NUMBER.fullmatch(text)
    called = "(" in text and kind not in ("table", "text")
    built = text.startswith(("'", '"')) or (kind != "text" and text.startswith(("[", "{", "@")))
    if not over_text or number or called or built:
        return text
    doubled = text.replace("'", "''")
    return f"'{doubled}'" if shown.startswith("'") else matlab_string(text)


def _is_number(cell: str) -> bool:
    return not cell or _NUMBER.fullmatch(cell) is not None


def _number_code(cell: str) -> str:
    return cell or "NaN"


def _code(rows: list[list[str]], brackets: str) -> str:
    return brackets[0] + "; ".join(", ".join(row) for row in rows) + brackets[1]


def matrix_code(cells: list[list[str]]) -> str:
    """A table of numbers as MATLAB code, empty cells as NaN; nothing when a cell is no number."""
    if not cells or not all(_is_number(cell) for row in cells for cell in row):
        return ""
    return _code([[_number_code(cell) for cell in row] for row in cells], "[]")


def refused_cell(cells: list[list[str]]) -> str:
    """The first cell of a table that is no number; empty where all are."""
    return next((cell for row in cells for cell in row if not _is_number(cell)), "")


def pasted_code(cells: list[list[str]], kind: str, class_name: str) -> str:
    """A table as the value of a part of a variable of some class; nothing where it does not fit."""
    if kind == "numeric":
        return matrix_code(cells)
    if not cells or (kind not in ("cell", "elements", "table") and class_name != "string"):
        return ""
    if kind in ("cell", "table"):
        return _code([[_cell_code(cell) for cell in row] for row in cells], "{}")
    return _code([[matlab_string(cell) for cell in row] for row in cells], "[]")


def _cell_code(cell: str) -> str:
    return cell if _NUMBER.fullmatch(cell) else matlab_string(cell)


def new_variable_code(cells: list[list[str]]) -> str:
    """A table as the value of a new variable: a matrix, a table with its heads, or strings.

    The first row is that of heads where it has no number and the rows below it have some.
    """
    plain = matrix_code(cells)
    if plain or not cells:
        return plain
    heads, body = cells[0], cells[1:]
    columns = list(zip(*body, strict=True))
    numeric = [all(map(_is_number, column)) for column in columns]
    if not any(numeric) or any(map(_NUMBER.fullmatch, heads)):
        return _code([[matlab_string(cell) for cell in row] for row in cells], "[]")
    parts = [
        _code([[_number_code(cell) if number else matlab_string(cell)] for cell in column], "[]")
        for column, number in zip(columns, numeric, strict=True)
    ]
    names = ", ".join(matlab_string(head or f"Var{n}") for n, head in enumerate(heads, 1))
    return f"table({', '.join(parts)}, 'VariableNames', [{names}])"
