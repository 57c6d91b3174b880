"""``tabularTextDatastore``: delimited text files larger than memory, read some rows at a time.

What the columns are follows from the beginning of the first file. Fields are found and numbers read
by `number_columns`; rows that it does not take go through the reader of ``readtable``. Who goes
through all the data has the next rows read beside what is done with those before (``readahead``).
"""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from app import paths
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.files import delimited
from app.engine.builtins.files.import_options import (
    Plan,
    Variable,
    by_format,
    converted_column,
    detected_plan,
    format_of,
)
from app.engine.builtins.files.number_columns import Columns, read_columns
from app.engine.builtins.files.table_store import TableStore, chosen_names, own_size, stored_files
from app.engine.builtins.text.text_numbers import decimals_of
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin, native_type
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Cell,
    Value,
    as_array,
    numel,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "files"
_HEAD = 1 << 16
_BLOCK = 1 << 22
_EVERY = 1 << 62
_ROWS = 20_000
_MOST_TOLD = 80
"""Letters of a field in an error."""
_OWN_OPTIONS = "ReadSize SelectedVariableNames MissingValue TextscanFormats"
_OF_WHOLE_FILES = ("MissingRule", "Range", "ReadRowNames", "Sheet")
"""Options of readtable that parts of a file have no meaning for."""
_ENDINGS = (".csv", ".txt", ".dat", ".dlm", ".asc", ".text")
_AHEAD_ROWS = 1 << 17
"""Rows of a part that is read ahead: large enough for machine code, small enough for caches."""
_WORDS = ("treatasmissing", "treatasempty")
"""Options of a number that only matter for fields that are none."""


@native_type
class TabularText(TableStore):
    """Text files with columns, read some rows at a time.

    Attributes:
        plan: what their columns are.
        read_size: rows of one read; 0 for a file at a time.
    """

    class_name = "matlab.io.datastore.TabularTextDatastore"
    kind = "tabulartextdatastore"

    def __init__(self, files: list[str], plan: Plan, delimiter: str, read_size: int) -> None:
        super().__init__(files)
        self.plan, self.delimiter, self.read_size = plan, delimiter, read_size
        self._file, self._offset, self._started = 0, 0, False
        self._buffer, self._at, self._end = bytearray(), 0, 0

    # --- reading ---

    def _rewind(self) -> None:
        self._file, self._offset, self._started = 0, 0, False
        self._at = self._end = 0

    def _has_more(self) -> bool:
        while self._file < len(self.files):
            if not self._started:
                self._offset, self._started = self._first_row(), True
            if self._offset < Path(self.files[self._file]).stat().st_size:
                return True
            self._file, self._started = self._file + 1, False
            self._at = self._end = 0
        return False

    @property
    def progress(self) -> float:
        """How much was read, from 0 to 1."""
        sizes = [Path(f).stat().st_size for f in self.files]
        done = sum(sizes[: self._file]) + (self._offset if self._started else 0)
        return min(1.0, done / max(1, sum(sizes)))

    def _rows_ahead(self) -> None:
        if self.read_size:
            self.read_size = max(self.read_size, _AHEAD_ROWS)

    def _first_row(self) -> int:
        """Where the data of the present file begin; comments are no lines before them."""
        marks = tuple(mark.encode() for mark in self._marks)
        left = self.plan.skip + self.plan.named
        with Path(self.files[self._file]).open("rb") as stream:
            while left and (line := _next_line(stream)):
                left -= not line.lstrip().startswith(marks)
            at = stream.tell()
            return at or (3 if stream.read(3) == codecs.BOM_UTF8 else 0)

    def _read_now(self, rows: int) -> tuple[Table, str]:
        """The next rows of the present file, all that are left for 0, and its name."""
        file = self.files[self._file]
        parts: list[dict[str, Value]] = []
        left = (self.read_size if rows < 0 else rows) or _EVERY
        while left > 0 and self._fill(file):
            lines = memoryview(self._buffer)[self._at : self._end]
            parsed = self._parsed(lines, left)
            if parsed is None:
                end = _end_of_lines(lines, left)
                parsed = self._by_fields(bytes(lines[:end]), file), end
            columns, length = parsed
            self._at += length
            self._offset += length
            parts.append(columns)
            left -= numel(next(iter(columns.values()))) if columns else left
        parts = parts or [self._by_fields(b"", file)]
        names = self.plan.selected
        return Table({n: concatenate(0, [p[n] for p in parts]) for n in names}), file

    def _fill(self, file: str) -> bool:
        """Have whole lines in the buffer; False at the end of the file."""
        if self._at < self._end:
            return True
        with Path(file).open("rb") as stream:
            size = stream.seek(0, os.SEEK_END) - self._offset
            stream.seek(self._offset)
            room = min(size, _BLOCK)
            if len(self._buffer) <= room:
                self._buffer = bytearray(room + 1)
            count = stream.readinto(memoryview(self._buffer)[:room])
            while (end := _end_of_rows(self._buffer, count, count == size)) == 0 and count < size:
                # A line is longer than the buffer. Parts of this one may still be looked at.
                more = stream.read(_BLOCK)
                if not more:  # the file was cut meanwhile
                    size = count
                self._buffer = self._buffer[:count] + more + b"\0"
                count = len(self._buffer) - 1
            if count == size > end:  # the last line of the file has no end
                self._buffer[count : count + 1] = b"\n"
                end = count + 1
        self._at, self._end = 0, end
        return end > 0

    def _parsed(self, lines: memoryview, rows: int) -> tuple[dict[str, Value], int] | None:
        """Columns of the next rows and the length of their text; None where they are not plain."""
        chosen = dict(self._chosen())
        if len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter in '"\n\r ':
            return None
        if not all(map(_is_plain, chosen.values())):
            return None
        if any(mark.encode() in bytes(lines) for mark in self._marks):
            return None
        kinds = ["" for _ in self.plan.variables]
        for k, variable in chosen.items():
            kinds[k] = "number" if variable.kind == "double" else "text"
        most = min(rows, len(lines) // max(1, len(kinds)) + 1)
        found = read_columns(lines, self.delimiter, kinds, most)
        if found is None:
            return None
        made: dict[str, Value] = {}
        numbers, texts = iter(range(len(kinds))), iter(range(len(kinds)))
        fields_of = _field_reader(lines[: found.length], found) if found.spans.size else None
        for variable in chosen.values():
            if variable.kind != "double":
                words = [] if fields_of is None else fields_of(next(texts))  # None: of no rows
                made[variable.name] = converted_column(words, variable)
                continue
            place = next(numbers)
            listed = found.listed[found.listed[:, 1] == place]
            words = [bytes(lines[a:b]).decode("latin-1") for a, b in listed[:, 2:].tolist()]
            fields = [_unquoted(w.strip()) for w in words]
            column = found.values[:, place].reshape(-1, 1, order="F").copy(order="F")
            if fields:
                read = as_array(converted_column([*fields], variable))
                if read.dtype.kind != "f" or _place_of_word(fields, variable) is not None:
                    return None
                column[listed[:, 0]] = read.reshape(-1, 1)
            made[variable.name] = column
        return made, found.length

    @property
    def _marks(self) -> tuple[str, ...]:
        """What comments begin with."""
        given = self.plan.source.get("commentstyle")
        return () if given is None else tuple(texts_of(given))[:1]

    def _chosen(self) -> list[tuple[int, Variable]]:
        return [(k, v) for k, v in enumerate(self.plan.variables) if v.name in self.plan.selected]

    def _by_fields(self, block: bytes, file: str) -> dict[str, Value]:
        """Columns by the reader of ``readtable``."""
        try:
            text = block.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = block.decode("latin-1")
        rows = delimited.split_text(text, self.delimiter).rows
        rows = [r for r in rows if any(f.strip() for f in r)]
        if self._marks:
            rows = [r for r in rows if not r[0].lstrip().startswith(self._marks)]
        width = len(self.plan.variables)
        rows = [(r + [""] * width)[:width] for r in rows]
        made = {}
        for k, variable in self._chosen():
            fields = [r[k] for r in rows]
            if variable.kind == "double":
                _check_numbers(fields, variable, file)
            made[variable.name] = converted_column(fields, variable)
        return made

    # --- as an object ---

    def properties(self) -> dict[str, Value]:
        """``ds.VariableNames`` and the other properties."""
        plan = self.plan
        kinds = {v.name: v.kind for v in plan.variables}
        return {
            "Files": self.file_cell(),
            "VariableNames": Cell.of(tuple(v.name for v in plan.variables)),
            "SelectedVariableNames": Cell.of(tuple(plan.selected)),
            "VariableTypes": Cell.of(tuple(v.kind for v in plan.variables)),
            "SelectedVariableTypes": Cell.of([kinds[n] for n in plan.selected]),
            "TextscanFormats": Cell.of([format_of(v.kind) for v in plan.variables]),
            "SelectedFormats": Cell.of([format_of(kinds[n]) for n in plan.selected]),
            "ReadSize": float(self.read_size) if self.read_size else "file",
            "NumHeaderLines": float(plan.skip),
            "ReadVariableNames": plan.named,
            "Delimiter": self.delimiter,
        }

    def setters(self) -> dict[str, Callable[[Value], None]]:
        """What sets the properties that can be set."""
        every = [v.name for v in self.plan.variables]
        chosen = list(self.plan.selected)
        plans: dict[str, Callable[[Value], Plan]] = {
            "SelectedVariableNames": lambda v: replace(self.plan, selected=self._names(v)),
            "VariableNames": lambda v: _renamed(self.plan, texts_of(v)),
            "VariableTypes": lambda v: _with_kinds(self.plan, every, texts_of(v)),
            "TextscanFormats": lambda v: _with_kinds(self.plan, every, texts_of(v)),
            "SelectedVariableTypes": lambda v: _with_kinds(self.plan, chosen, texts_of(v)),
            "SelectedFormats": lambda v: _with_kinds(self.plan, chosen, texts_of(v)),
        }
        made: dict[str, Callable[[Value], None]] = {
            name: partial(self._set_plan, plan) for name, plan in plans.items()
        }
        return {**made, "ReadSize": self._set_size}

    def _set_plan(self, made: Callable[[Value], Plan], value: Value) -> None:
        self.plan = made(value)

    def _set_size(self, value: Value) -> None:
        self.read_size = _read_size(value)

    def _names(self, value: Value) -> tuple[str, ...]:
        return chosen_names([v.name for v in self.plan.variables], value, self.kind)

    def show(self, name: str, style: object) -> str:
        """Its files and variables."""
        names = ", ".join(self.plan.selected)
        return f"  TabularTextDatastore of {len(self.files)} files with {names}\n"

    def no_rows(self) -> Table:
        """A table of the variables that are read, without rows."""
        columns = self._by_fields(b"", "")
        return Table({name: columns[name] for name in self.plan.selected})

    def copied(self) -> TabularText:
        """The same, from the first row."""
        return TabularText(self.files, self.plan, self.delimiter, self.read_size)

    def whole_files(self) -> TabularText:
        """A copy that reads a file at a time."""
        return TabularText(self.files, self.plan, self.delimiter, 0)

    def subset_of(self, places: list[int]) -> TabularText:
        """A copy of some of the things that can be read by themselves, by 0-based places."""
        files = [self.files[k] for k in places]
        return TabularText(files, self.plan, self.delimiter, self.read_size)


def _renamed(plan: Plan, names: list[str]) -> Plan:
    """The plan with other names of all variables."""
    if len(names) != len(plan.variables):
        text = f"VariableNames must have {len(plan.variables)} names, one for each variable."
        raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:invalidVariableName", text)
    renamed = {v.name: n for v, n in zip(plan.variables, names, strict=True)}
    return replace(
        plan,
        variables=tuple(replace(v, name=renamed[v.name]) for v in plan.variables),
        selected=tuple(renamed[n] for n in plan.selected),
    )


def _with_kinds(plan: Plan, names: list[str], kinds: list[str]) -> Plan:
    """The plan with other classes of some variables, named as such or by formats."""
    if len(kinds) != len(names):
        text = f"{len(names)} classes or formats are needed, one for each variable."
        raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:invalidFormat", text)
    named = {n: k for n, k in zip(names, kinds, strict=True) if not k.startswith("%")}
    plan = plan.with_kinds(named)
    formats = {n: k for n, k in zip(names, kinds, strict=True) if k.startswith("%")}
    made = tuple(by_format(formats[v.name], v) if v.name in formats else v for v in plan.variables)
    return replace(plan, variables=made)


def _next_line(stream: BinaryIO) -> bytes:
    """The next line of a file, with its end, of whatever kind that is."""
    line = stream.readline(_BLOCK)
    while line[-1:] != b"\n" and b"\r" not in line and (more := stream.readline(_BLOCK)):
        line += more
    at = line.find(b"\r") + 1
    if not at or line[at : at + 1] == b"\n":
        return line
    stream.seek(at - len(line), os.SEEK_CUR)
    if at == len(line) and stream.read(1) not in (b"\n", b""):  # maybe the other half of its end
        stream.seek(-1, os.SEEK_CUR)
    return line[:at]


def _end_of_rows(data: bytearray, count: int, whole: bool) -> int:
    """Where the last whole line ends of so many bytes, whose ends of lines are made the same; they
    are all that there are where ``whole``."""
    if data.find(b"\r", 0, count) >= 0:
        text = np.frombuffer(data, np.uint8, count)
        alone = text == ord("\r")
        alone[:-1] &= text[1:] != ord("\n")
        alone[-1] &= whole
        text[alone] = ord("\n")
    return data.rfind(b"\n", 0, count) + 1


def _end_of_lines(text: memoryview, rows: int) -> int:
    """Where so many lines end, or all that there are."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return int(ends[min(rows, ends.size) - 1]) + 1


def _is_plain(variable: Variable) -> bool:
    """Whether plain decimals of a variable are what they say."""
    options = variable.options
    words = [w for name in options if name in _WORDS for w in texts_of(options[name])]
    return variable.kind != "double" or (options.keys() <= set(_WORDS) and not decimals_of(words))


def _field_reader(lines: memoryview, found: Columns) -> Callable[[int], list[str]]:
    """What gives the texts of a column."""
    data = bytes(lines)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    has_quotes = b'"' in data

    def fields_of(place: int) -> list[str]:
        spans = found.spans[:, 2 * place : 2 * place + 2].tolist()
        if len(text) == len(data):
            fields = [text[a:b] for a, b in spans]
        else:
            fields = [data[a:b].decode("utf-8") for a, b in spans]
        return [_unquoted(f) for f in fields] if has_quotes else fields

    return fields_of


def _unquoted(field: str) -> str:
    return field[1:-1].replace('""', '"') if field[:1] == '"' else field


def _place_of_word(fields: list[str], variable: Variable) -> int | None:
    """The first of the fields that is no number and does not stand for a missing one."""
    words = [w for name in _WORDS for w in texts_of(variable.options.get(name, Cell.empty()))]
    known = ("", *words)
    for place, field in enumerate(fields):
        if field.strip() not in known and not delimited.is_number(field):
            return place
    return None


def _check_numbers(fields: list[str], variable: Variable, file: str) -> None:
    place = _place_of_word(fields, variable)
    if place is not None:
        text = (
            f"'{fields[place].strip()[:_MOST_TOLD]}' is not a number: row {place + 1} read from "
            f"'{file}', variable '{variable.name}'. 'TreatAsMissing' names what stands for none."
        )
        raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:badNumber", text)


def _read_size(value: Value) -> int:
    size = own_size(value, ("file",), TabularText.kind)
    return size if isinstance(size, int) else 0


@builtin(
    "tabularTextDatastore",
    reads_file=True,
    category=_FAMILY,
    device=HostOnly("reads text files part by part"),
    signatures=(
        "ds = tabularTextDatastore(location)",
        "ds = tabularTextDatastore(location, 'ReadSize', n, 'SelectedVariableNames', names, "
        "'TreatAsMissing', t, 'MissingValue', v, 'TextscanFormats', formats, 'FileExtensions', e, "
        "'IncludeSubfolders', tf, "
        "'Delimiter', d, 'ReadVariableNames', tf, 'NumHeaderLines', n)",
    ),
    cases=(
        "writetable(table([1; 2], 'VariableNames', {'n'}), 't.csv'); "
        "ds = tabularTextDatastore('t.csv'); t = read(ds); isequal(t.n, [1; 2]) && ~hasdata(ds)",
    ),
    see=("readtable",),
)
def tabular_text_datastore(location: Value, *args: Value) -> Value:
    """Text files with columns, read some rows at a time by ``read`` while ``hasdata``.

    ``location`` names files, folders or patterns. The classes of the columns follow from the
    beginning of the first file. Further options are those of ``readtable``. Quoted fields may not
    hold ends of lines.
    """
    files, args = stored_files("tabularTextDatastore", location, args, _ENDINGS)
    usual = " ".join(w for w in delimited.READ_TABLE.split() if w not in _OF_WHOLE_FILES)
    known = f"{usual} {_OWN_OPTIONS}"
    options = delimited.file_options("tabularTextDatastore", files[0], args, known)
    if delimited.encoding_of(options, "utf-8") not in ("utf-8", "ascii"):
        text = "tabularTextDatastore reads text in the Encoding UTF-8; use readtable for others."
        raise MatlabError("MATLAB:tabularTextDatastore:unsupportedEncoding", text)
    for own, usual in (("missingvalue", "emptyvalue"), ("textscanformats", "format")):
        if own in options:
            options[usual] = options.pop(own)
    if "format" in options:
        options["format"] = "".join(texts_of(options["format"]))
    size = _read_size(options.pop("readsize", float(_ROWS)))
    chosen = options.pop("selectedvariablenames", None)
    head = _head(files[0])
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "head.csv"
        sample.write_bytes(head)
        plan = detected_plan(str(sample), options, "tabularTextDatastore")
    delimiter = delimited.delimiter_option(options)
    if delimiter is None:
        delimiter = delimited.delimiter_of(head.decode("utf-8", "replace"))
    if chosen is not None:
        names = [v.name for v in plan.variables]
        plan = replace(plan, selected=chosen_names(names, chosen, TabularText.kind))
    return TabularText(files, plan, delimiter, size)


def _head(file: str) -> bytes:
    """The first lines of a file."""
    paths.check_file(Path(file))
    with Path(file).open("rb") as stream:
        head = stream.read(_HEAD)
    last = max(head.rfind(b"\n"), head.rfind(b"\r"))
    return head if len(head) < _HEAD else head[: last + 1] or head
