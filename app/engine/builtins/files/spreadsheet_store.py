"""``spreadsheetDatastore``: the worksheets of workbooks, read some rows at a time.

A workbook is a compressed archive: it is opened whole, and kept until the next one is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.engine.arguments.checks import unknown_option
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.import_options import Plan, detected_plan, file_rows
from app.engine.builtins.files.table_store import TableStore, chosen_names, own_size, stored_files
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    int_of,
    is_numeric_like,
    is_text_scalar,
    texts_of,
)
from app.errors import MatlabError

_SIZES = ("file", "sheet")
_OWN = "ReadSize SelectedVariableNames Sheets VariableTypes"
_KNOWN = (
    "Range ReadVariableNames VariableNames NumHeaderLines TextType VariableNamingRule "
    "DatetimeType DurationType"
)

Part = tuple[str, str]
"""A worksheet: the file, and the name of the sheet."""


@native_type
class SpreadsheetStore(TableStore):
    """Worksheets of workbooks, read some rows at a time.

    Attributes:
        parts: the worksheets, in order.
        plan: what their columns are.
        size: what a read takes: so many rows, ``file`` or ``sheet``.
        sheets: which worksheets were asked for; empty for all.
    """

    class_name = "matlab.io.datastore.SpreadsheetDatastore"
    kind = "spreadsheetdatastore"

    def __init__(
        self, files: list[str], parts: list[Part], plan: Plan, size: int | str, sheets: Value
    ) -> None:
        super().__init__(files)
        self.parts, self.plan, self.size, self.sheets = parts, plan, size, sheets
        self._next = 0
        self._rest: Table | None = None

    # --- reading ---

    def _rewind(self) -> None:
        self._next, self._rest = 0, None

    def _has_more(self) -> bool:
        while self._rest is None and self._next < len(self.parts):
            found = self._sheet(self.parts[self._next])
            self._next += 1
            self._rest = found if found.height else None
        return self._rest is not None

    def _sheet(self, part: Part) -> Table:
        file, sheet = part
        source = {**self.plan.source, "sheet": sheet}
        rows = file_rows(file, source, "spreadsheetDatastore", self.plan.rules)
        return self.plan.table(rows)

    @property
    def progress(self) -> float:
        """How much was read, from 0 to 1."""
        return (self._next - (self._rest is not None)) / max(1, len(self.parts))

    def _rows_ahead(self) -> None:
        if isinstance(self.size, int):
            self.size = "sheet"

    def _read_now(self, rows: int) -> tuple[Table, str]:
        size = self.size if rows < 0 else rows
        file = self.parts[self._next - 1][0]
        found, self._rest = self._rest, None
        assert found is not None
        if isinstance(size, int):
            if found.height > size:
                self._rest = found.rows(range(size, found.height))
                found = found.rows(range(size))
            return found, file
        if size == "file":
            from app.engine.operators.concatenation import concatenate

            tables = [found]
            while self._next < len(self.parts) and self.parts[self._next][0] == file:
                tables.append(self._sheet(self.parts[self._next]))
                self._next += 1
            whole = {n: concatenate(0, [t.columns[n] for t in tables]) for n in found.names}
            found = Table(whole, sum(t.height for t in tables))
        return found, file

    def no_rows(self) -> Table:
        """A table of the variables that are read, without rows."""
        return self.plan.of_body([])

    # --- as an object ---

    def properties(self) -> dict[str, Value]:
        """Files, worksheets, variables, and what a read takes."""
        plan = self.plan
        kinds = {v.name: v.kind for v in plan.variables}
        return {
            "Files": self.file_cell(),
            "Sheets": self.sheets,
            "Range": plan.source.get("range", ""),
            "ReadSize": self.size if isinstance(self.size, str) else float(self.size),
            "NumHeaderLines": float(plan.skip),
            "ReadVariableNames": plan.named,
            "VariableNames": Cell.of(list(kinds)),
            "VariableTypes": Cell.of(list(kinds.values())),
            "SelectedVariableNames": Cell.of(plan.selected),
            "SelectedVariableTypes": Cell.of([kinds[n] for n in plan.selected]),
        }

    def setters(self) -> dict[str, Callable[[Value], None]]:
        """What sets the properties that can be set."""
        return {
            "ReadSize": self._set_size,
            "SelectedVariableNames": self._select,
            "VariableNames": self._rename,
            "VariableTypes": lambda v: self._set_kinds([w.name for w in self.plan.variables], v),
            "SelectedVariableTypes": lambda v: self._set_kinds(list(self.plan.selected), v),
            "Sheets": self._set_sheets,
        }

    def _set_size(self, value: Value) -> None:
        self.size = own_size(value, _SIZES, self.kind)

    def _select(self, value: Value) -> None:
        known = [v.name for v in self.plan.variables]
        self.plan = replace(self.plan, selected=chosen_names(known, value, self.kind))

    def _rename(self, value: Value) -> None:
        names = texts_of(value, "VariableNames")
        _check_count("VariableNames", len(names), len(self.plan.variables))
        self.plan = self.plan.with_names(names)

    def _set_kinds(self, names: list[str], value: Value) -> None:
        kinds = texts_of(value, "VariableTypes")
        _check_count("VariableTypes", len(kinds), len(names))
        self.plan = self.plan.with_kinds(dict(zip(names, kinds, strict=True)))

    def _set_sheets(self, value: Value) -> None:
        self.parts = _parts(self.files, value)
        self.sheets = value

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Those of all datastores of tables, and ``sheetnames(ds, k)``."""
        return {**super().methods(), "sheetnames": lambda ctx, args, n: self._names_of(args[1:])}

    def _names_of(self, args: tuple[Value, ...]) -> Value:
        place = int_of(args[0]) if len(args) == 1 else 0
        if not 1 <= place <= len(self.files):
            text = f"sheetnames(ds, k) takes the number of one of the {len(self.files)} files."
            raise MatlabError("MATLAB:datastoreio:spreadsheetdatastore:invalidFile", text)
        names = spreadsheet.sheet_names(Path(self.files[place - 1]))
        return StringArray.of(names, (len(names), 1))

    def _made(self, parts: list[Part], size: int | str) -> SpreadsheetStore:
        files = list(dict.fromkeys(file for file, _ in parts))
        return SpreadsheetStore(files, parts, self.plan, size, self.sheets)

    def copied(self) -> SpreadsheetStore:
        """The same, from the first row."""
        return self._made(self.parts, self.size)

    def whole_files(self) -> SpreadsheetStore:
        """A copy that reads a file at a time."""
        return self._made(self.parts, "file")

    def files_of_units(self) -> list[str]:
        """The file of each thing that can be read by itself: files, or sheets."""
        return self.files if self.size == "file" else [file for file, _ in self.parts]

    def subset_of(self, places: list[int]) -> SpreadsheetStore:
        """A copy of some of the files, or sheets, by 0-based places."""
        if self.size != "file":
            return self._made([self.parts[k] for k in places], self.size)
        files = [self.files[k] for k in places]
        return self._made([p for f in files for p in self.parts if p[0] == f], self.size)


def _check_count(what: str, given: int, wanted: int) -> None:
    if given != wanted:
        text = f"{what} are {wanted}, one for each variable; {given} were given."
        raise MatlabError("MATLAB:datastoreio:spreadsheetdatastore:invalidVariables", text)


def _parts(files: list[str], sheets: Value) -> list[Part]:
    """The worksheets of files: all, or those of some names or numbers."""
    if is_numeric_like(sheets) and not is_text_scalar(sheets):
        wanted: list[str | int] = [int(k) for k in as_array(sheets).ravel(order="F").tolist()]
    else:
        wanted = [w for w in texts_of(sheets, "Sheets") if w]
    return [(f, s) for f in files for s in _sheets_of(f, wanted)]


def _sheets_of(file: str, wanted: list[str | int]) -> list[str]:
    known = spreadsheet.sheet_names(Path(file))
    made = []
    for sheet in wanted or known:
        if isinstance(sheet, int) and 1 <= sheet <= len(known):
            made.append(known[sheet - 1])
        elif sheet in known:
            made.append(str(sheet))
        else:
            text = f"There is no worksheet '{sheet}' in '{file}', which has {', '.join(known)}."
            raise MatlabError("MATLAB:datastoreio:spreadsheetdatastore:invalidSheet", text)
    return made


@builtin(
    "spreadsheetDatastore",
    category="files",
    device=HostOnly("reads workbooks part by part"),
    signatures=(
        "ds = spreadsheetDatastore(location)",
        "ds = spreadsheetDatastore(location, 'Sheets', s, 'Range', r, 'ReadSize', n, "
        "'SelectedVariableNames', names, 'VariableNames', names, 'VariableTypes', classes, "
        "'ReadVariableNames', tf, 'NumHeaderLines', n, 'TextType', t, "
        "'FileExtensions', e, 'IncludeSubfolders', tf)",
    ),
    cases=(
        "writematrix([1 2; 3 4], 'b.xlsx'); ds = spreadsheetDatastore('b.xlsx'); "
        "isequal(read(ds).Var2, [2; 4]) && ~hasdata(ds)",
    ),
    see=("readtable", "sheetnames", "tabularTextDatastore", "parquetDatastore"),
)
def spreadsheet_datastore(location: Value, *args: Value) -> Value:
    """Worksheets of workbooks, read part by part by ``read`` while ``hasdata`` or ``tall``.

    ``location`` names files, folders or patterns. A read takes a 'file' (its worksheets below each
    other), a 'sheet', or so many rows of a sheet (``ReadSize``, 'file' unless told otherwise). The
    classes of the columns follow from the first worksheet; ``Sheets`` names or numbers those that
    are read. ``partition`` and ``subset`` take files, or worksheets where a read takes less.
    """
    files, rest = stored_files("spreadsheetDatastore", location, args, spreadsheet.SUFFIXES)
    options = delimited.file_options(
        "spreadsheetDatastore", files[0], tuple(rest), f"{_KNOWN} {_OWN}"
    )
    if "encoding" in options:
        raise unknown_option("spreadsheetDatastore", "Encoding", f"{_KNOWN} {_OWN} FileType")
    sheets = options.pop("sheets", "")
    size = own_size(options.pop("readsize", "file"), _SIZES, SpreadsheetStore.kind)
    chosen, kinds = (options.pop(w, None) for w in ("selectedvariablenames", "variabletypes"))
    parts = _parts(files, sheets)
    first, sheet = parts[0]
    plan = detected_plan(first, {**options, "sheet": sheet}, "spreadsheetDatastore")
    made = SpreadsheetStore(files, parts, plan, size, sheets)
    if kinds is not None:
        made.setters()["VariableTypes"](kinds)
    if chosen is not None:
        made.setters()["SelectedVariableNames"](chosen)
    return made
