"""What a table in a file would become before it is read: its first rows, and the code that reads
it.

Both go the way of ``readtable``: options are detected, what was chosen overrides them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.import_options import (
    TYPES,
    Plan,
    Variable,
    columns_of,
    first_lines,
    is_missing,
    is_wrong,
)
from app.engine.language.tokens import is_name
from app.engine.values import Value

CLASSES = TYPES
"""Classes that a column can become."""
ROWS = 100
"""Rows that are shown."""
_BYTES = 1 << 20
"""Of a text, what its first rows are taken from."""
_NOTHING = {
    "double": "NaN",
    "single": "NaN",
    "logical": "false",
    "char": "",
    "string": "<missing>",
    "categorical": "<undefined>",
    "datetime": "NaT",
    "duration": "NaN",
}
"""What stands for a field that says nothing, by class; 0 in those of integers."""
_ONE_CLASS = {"matrix": "double", "strings": "string"}
"""The class of every column where the output is one array."""
_READERS = {
    "table": "readtable",
    "columns": "readvars",
    "matrix": "readmatrix",
    "strings": "readmatrix",
    "cell": "readcell",
}
OUTPUTS = tuple(_READERS)
"""What a table can be read as."""


@dataclass(frozen=True)
class Choices:
    """What somebody chose; what is empty is found out from the file.

    Attributes:
        delimiter: between the fields of a text.
        decimal: the decimal separator of a text.
        sheet: a worksheet's name.
        cells: the range that is read, such as ``A2:C10``.
        named: whether the first row has the names of the columns.
        as_written: whether names that no variable can have stay; vectors have others.
        kinds: other classes of columns, by name.
        left_out: names of the columns that are not read.
        output: one of `OUTPUTS`.
        name: of the variable that is made.
    """

    delimiter: str = ""
    decimal: str = ""
    sheet: str = ""
    cells: str = ""
    named: bool | None = None
    as_written: bool = False
    kinds: dict[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    output: str = "table"
    name: str = "data"

    def options(self) -> dict[str, Value]:
        """The choices as options of ``detectImportOptions``."""
        given: dict[str, Value] = {
            "Delimiter": self.delimiter,
            "DecimalSeparator": self.decimal,
            "Sheet": self.sheet,
            "Range": self.cells,
            "VariableNamingRule": "preserve" * (self.as_written and self.output != "columns"),
        }
        named = {} if self.named is None else {"ReadVariableNames": self.named}
        return {name: value for name, value in given.items() if value} | named


@dataclass(frozen=True)
class Field:
    """A field of the file.

    Attributes:
        text: as it stands there.
        becomes: what is read in its place where it is missing or of another class than its column.
    """

    text: str
    becomes: str = ""


@dataclass(frozen=True)
class Preview:
    """The first rows of a table.

    Attributes:
        delimiter: between the fields; empty for white space and in a workbook.
        sheets: names of the worksheets; none of a text.
        named: whether the first row has the names of the columns.
        names: of the columns.
        kinds: the class of every column.
        rows: the fields, row by row.
        height: rows that were looked at.
        whole: whether these are all rows of the file.
    """

    delimiter: str
    sheets: tuple[str, ...]
    named: bool
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: tuple[tuple[Field, ...], ...]
    height: int
    whole: bool


def look(path: Path, chosen: Choices) -> Preview:
    """The first rows of a table as it would be read.

    Raises:
        MatlabError: the file cannot be read, or not so.
    """
    book, delimiter = spreadsheet.is_workbook(str(path)), ""
    options = {name.lower(): value for name, value in chosen.options().items()}
    if not book:
        text = delimited.file_text(str(path), "readtable", most=_BYTES)
        delimiter = chosen.delimiter or delimited.delimiter_of(text)
        options |= {"delimiter": delimiter} if delimiter else {}
    plan, rows = first_lines(str(path), options, "readtable", _BYTES)
    plan = _with_classes(plan, chosen)
    fields = columns_of(rows[:ROWS], len(plan.variables))
    columns = [_column(f, v) for f, v in zip(fields, plan.variables, strict=True)]
    return Preview(
        delimiter,
        tuple(spreadsheet.sheet_names(path)) if book else (),
        plan.named,
        tuple(v.name for v in plan.variables),
        tuple(v.kind for v in plan.variables),
        tuple(zip(*columns, strict=True)),
        len(rows),
        book or path.stat().st_size < _BYTES,
    )


def _with_classes(plan: Plan, chosen: Choices) -> Plan:
    known = {v.name for v in plan.variables}
    one = _ONE_CLASS.get(chosen.output)
    kinds = dict.fromkeys(known, one) if one else chosen.kinds
    return plan.with_kinds({n: k for n, k in kinds.items() if n in known})


def _column(fields: list[object], variable: Variable) -> list[Field]:
    return [Field(_text(f), _instead(f, variable)) for f in fields]


def _text(found: object) -> str:
    if found is None:
        return ""
    return f"{found:.15g}" if isinstance(found, float) else str(found)


def _instead(found: object, variable: Variable) -> str:
    lost = is_missing(found, variable) or is_wrong(found, variable)
    return _NOTHING.get(variable.kind, "0") if lost else ""


def reading_code(path: Path, chosen: Choices, names: tuple[str, ...], taken: Iterable[str]) -> str:
    """The statements that read a table as chosen.

    Args:
        path: the file.
        chosen: what was chosen.
        names: of all columns, as `Preview` says.
        taken: names of variables that are there and must stay.
    """
    kept = [name for name in names if name not in chosen.left_out]
    result = f"[{', '.join(kept)}]" if chosen.output == "columns" else chosen.name
    file, reader = _quoted(str(path)), _READERS[chosen.output]
    options = "".join(f", {_quoted(n)}, {_word(v)}" for n, v in chosen.options().items())
    used = {*taken, *kept, chosen.name}
    opts = next(
        o for o in ("opts", *(f"opts{n}" for n in range(2, len(used) + 3))) if o not in used
    )
    changes = list(_changes(opts, chosen, names, kept))
    if not changes and chosen.output == "table":
        return f"{result} = {reader}({file}{options});"
    lines = [
        f"{opts} = detectImportOptions({file}{options});",
        *changes,
        f"{result} = {reader}({file}, {opts});",
        f"clear {opts}",
    ]
    return "\n".join(lines)


def name_objection(name: str) -> str:
    """Why a variable cannot have this name; empty when it can."""
    return "" if is_name(name) else f"'{name}' is not a valid name."


def _changes(opts: str, chosen: Choices, names: tuple[str, ...], kept: list[str]) -> Iterator[str]:
    """What is changed in the options that are detected."""
    if chosen.output in _ONE_CLASS:
        yield f"{opts} = setvartype({opts}, {_quoted(_ONE_CLASS[chosen.output])});"
    else:
        for kind in dict.fromkeys(chosen.kinds.values()):
            those = [n for n in names if chosen.kinds.get(n) == kind]
            if those:
                yield f"{opts} = setvartype({opts}, {_list(those)}, {_quoted(kind)});"
    if len(kept) < len(names):
        yield f"{opts}.SelectedVariableNames = {_list(kept)};"


def _list(names: list[str]) -> str:
    return f"{{{', '.join(map(_quoted, names))}}}"


def _word(value: Value) -> str:
    return _quoted(value) if isinstance(value, str) else str(value).lower()


def _quoted(text: str) -> str:
    quoted = text.replace("'", "''")
    return "'\\t'" if text == "\t" else f"'{quoted}'"
