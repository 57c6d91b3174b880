"""``parquetDatastore``: Parquet files larger than memory, read some rows or row groups at a time.

The footers of all files are read at the start: they tell how many row groups there are, and whether
values are missing anywhere, so that every read gives variables of the same classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.arguments.checks import option_pairs
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.files.parquet_columns import arrow
from app.engine.builtins.files.parquet_files import (
    OPTIONS,
    Footer,
    Wanted,
    read_groups,
    reading,
    wanted_of,
)
from app.engine.builtins.files.table_store import TableStore, chosen_names, own_size, stored_files
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import EMPTY, StringArray, Value
from app.errors import MatlabError

if TYPE_CHECKING:
    import pyarrow as pa

_AHEAD_BYTES = 1 << 25
"""What a part that is read ahead takes: enough that what a part costs by itself is little."""
_TEXT_BYTES = 80
"""What a value that is no number takes."""
_BATCH_ROWS = 1 << 17
"""Rows that the library decodes at a time where a read ends within a row group."""
_SIZES = ("file", "rowgroup")

Unit = tuple[Footer, int]
"""A row group: the file it is in, and its 0-based number there."""


@native_type
class ParquetStore(TableStore):
    """Parquet files, read some rows at a time.

    Attributes:
        footers: all files, of which these may be some.
        units: the row groups, in order.
        wanted: what is read of each.
        size: what a read takes: so many rows, ``file`` or ``rowgroup``.
    """

    class_name = "matlab.io.datastore.ParquetDatastore"
    kind = "parquetdatastore"

    def __init__(
        self, footers: tuple[Footer, ...], units: list[Unit], wanted: Wanted, size: int | str
    ) -> None:
        super().__init__(list(dict.fromkeys(footer.path for footer, _ in units)))
        self.footers, self.units, self.wanted, self.size = footers, units, wanted, size
        self._like = footers[0]
        self._gaps: dict[str, bool] = {}
        self._next, self._at_once = 0, 1
        self._batches: Iterator[pa.RecordBatch] | None = None
        self._left: list[pa.RecordBatch] = []

    # --- reading ---

    def _rewind(self) -> None:
        self._next, self._batches, self._left = 0, None, []

    def _has_more(self) -> bool:
        while self._batches is not None and not self._left:
            batch = self._next_batch()
            self._left = [batch] if batch is not None and batch.num_rows else []
        return bool(self._left) or self._next < len(self.units)

    @property
    def progress(self) -> float:
        """How much was read, from 0 to 1."""
        begun = self._batches is not None
        return (self._next - begun) / max(1, len(self.units))

    def _rows_ahead(self) -> None:
        rows = max(1, _AHEAD_BYTES // self._bytes_of_row())
        highest = max((max(footer.heights, default=0) for footer, _ in self.units), default=0)
        self.size = "rowgroup" if highest <= rows else rows
        self._at_once = max(1, rows // max(1, highest))

    def _bytes_of_row(self) -> int:
        """What a row takes in memory, about."""
        types, fields = arrow().types, self._like.schema
        places = self.wanted.positions(self._like).values()
        kinds = [fields.field(at).type for at in places]
        plain = [types.is_primitive(kind) for kind in kinds]
        return max(8, sum(8 if flag else _TEXT_BYTES for flag in plain))

    def _read_now(self, rows: int) -> tuple[Table, str]:
        size = self.size if rows < 0 else rows
        if isinstance(size, int):
            return self._some_rows(size)
        if self._batches is not None:
            return self._some_rows(sum(self._file().heights))
        footer, group = self.units[self._next]
        groups = [group]
        self._next += 1
        most = self._at_once if size == "rowgroup" else len(self.units)
        while len(groups) < most and self._next < len(self.units):
            other, group = self.units[self._next]
            if other is not footer:
                break
            groups.append(group)
            self._next += 1
        return self._table(footer, read_groups(footer, self.wanted, groups)), footer.path

    def _file(self) -> Footer:
        """The file that is read row by row."""
        return self.units[self._next - 1][0]

    def _some_rows(self, rows: int) -> tuple[Table, str]:
        """The next rows of one file."""
        found: list[pa.RecordBatch] = []
        if self._batches is None:
            self._begin_file()
        footer = self._file()
        while rows > 0:
            batch = self._left.pop() if self._left else self._next_batch()
            if batch is None:
                break
            if batch.num_rows > rows:
                self._left.append(batch.slice(rows))
                batch = batch.slice(0, rows)
            found.append(batch)
            rows -= batch.num_rows
        pa = arrow()
        with reading(footer.path):
            read = pa.Table.from_batches(found) if found else self._nothing_of(footer)
        return self._table(footer, read), footer.path

    def _begin_file(self) -> None:
        """Have the next row groups of one file come batch by batch."""
        footer, group = self.units[self._next]
        groups = [group]
        self._next += 1
        while self._next < len(self.units) and self.units[self._next][0] is footer:
            groups.append(self.units[self._next][1])
            self._next += 1
        columns = self.wanted.stored_names(footer)
        with reading(footer.path):
            file = footer.opened(ahead=False)
            self._batches = file.iter_batches(_BATCH_ROWS, groups, columns)

    def _next_batch(self) -> pa.RecordBatch | None:
        """What the library decodes next of the file; None at its end."""
        assert self._batches is not None
        with reading(self._file().path):
            batch = next(self._batches, None)
        if batch is None:
            self._batches = None
        return batch

    def _nothing_of(self, footer: Footer) -> pa.Table:
        names = self.wanted.stored_names(footer)
        empty = footer.schema.empty_table()
        return empty if names is None else empty.select(names)

    def _table(self, footer: Footer, read: pa.Table) -> Table:
        gaps = {name: self._has_gaps(name) for name in self.wanted.needed}
        if footer is not self._like:
            self._check_classes(footer, gaps)
        return self.wanted.table(footer, read, gaps)

    def _check_classes(self, footer: Footer, gaps: dict[str, bool]) -> None:
        first = self.wanted.positions(self._like)
        for name, at in self.wanted.positions(footer).items():
            wanted = self._like.class_at(first[name], gaps[name])
            found = footer.class_at(at, gaps[name])
            if found != wanted:
                text = f"Variable '{name}' is of class {found} in '{footer.path}', and of class "
                text += f"{wanted} in '{self._like.path}'."
                raise MatlabError("MATLAB:datastoreio:parquetdatastore:otherClass", text)

    def _has_gaps(self, name: str) -> bool:
        """Whether values of a variable may be missing in any of the files."""
        if name not in self._gaps:
            only = replace(self.wanted.with_selected((name,)), condition=None, times={})
            self._gaps[name] = any(f.has_gaps(only.positions(f)[name]) for f in self.footers)
        return self._gaps[name]

    def no_rows(self) -> Table:
        """A table of the variables that are read, without rows."""
        return self._table(self._like, self._nothing_of(self._like))

    # --- as an object ---

    def properties(self) -> dict[str, Value]:
        """Files, variables, and what a read takes."""
        wanted = self.wanted
        names, chosen = list(wanted.names), wanted.selected
        return {
            "Files": self.file_cell(),
            "ReadSize": self.size if isinstance(self.size, str) else float(self.size),
            "VariableNames": StringArray.of(names),
            "VariableTypes": StringArray.of([self._class_of(n) for n in names]),
            "SelectedVariableNames": StringArray.of(chosen),
            "SelectedVariableTypes": StringArray.of([self._class_of(n) for n in chosen]),
            "OutputType": "timetable" if wanted.timetable else "table",
            "RowFilter": EMPTY if wanted.condition is None else wanted.condition,
        }

    def _class_of(self, name: str) -> str:
        only = replace(self.wanted.with_selected((name,)), condition=None, times={})
        return self._like.class_at(only.positions(self._like)[name], self._has_gaps(name))

    def setters(self) -> dict[str, Callable[[Value], None]]:
        """What sets the properties that can be set."""
        return {
            "ReadSize": self._set_size,
            "SelectedVariableNames": self._select,
            "RowFilter": self._filter,
        }

    def _set_size(self, value: Value) -> None:
        self.size = own_size(value, _SIZES, self.kind)

    def _select(self, value: Value) -> None:
        names = chosen_names(list(self.wanted.names), value, self.kind)
        self.wanted = self.wanted.with_selected(names)

    def _filter(self, value: Value) -> None:
        self.wanted = self.wanted.with_condition("parquetDatastore", value)

    def _made(self, units: list[Unit], size: int | str) -> ParquetStore:
        return ParquetStore(self.footers, units, self.wanted, size)

    def copied(self) -> ParquetStore:
        """The same, from the first row."""
        return self._made(self.units, self.size)

    def whole_files(self) -> ParquetStore:
        """A copy that reads a file at a time."""
        return self._made(self.units, "file")

    def files_of_units(self) -> list[str]:
        """The file of each thing that can be read by itself."""
        if self.size == "file":
            return self.files
        return [footer.path for footer, _ in self.units]

    def subset_of(self, places: list[int]) -> ParquetStore:
        """A copy of some of the things that can be read by themselves, by 0-based places."""
        if self.size == "file":
            files = [self.files[k] for k in places]
            units = [unit for f in files for unit in self.units if unit[0].path == f]
        else:
            units = [self.units[k] for k in places]
        return self._made(units, self.size)


@builtin(
    "parquetDatastore",
    category="files",
    device=HostOnly("reads Parquet files part by part"),
    signatures=(
        "ds = parquetDatastore(location)",
        "ds = parquetDatastore(location, 'ReadSize', n, 'SelectedVariableNames', names, "
        "'RowFilter', rf, 'OutputType', t, 'RowTimes', name, 'VariableNamingRule', rule, "
        "'FileExtensions', e, 'IncludeSubfolders', tf)",
    ),
    cases=(
        "parquetwrite('t.parquet', table([1; 2; 3])); "
        "ds = parquetDatastore('t.parquet', 'ReadSize', 2); "
        "isequal(read(ds).Var1, [1; 2]) && hasdata(ds)",
    ),
    see=("parquetread", "rowfilter", "tabularTextDatastore"),
)
def parquet_datastore(location: Value, *args: Value) -> Value:
    """Parquet files, read part by part by ``read`` while ``hasdata``, also by ``tall(ds)``.

    ``location`` names files, folders or patterns. A read takes a 'file', a 'rowgroup', or so many
    rows of a file (``ReadSize``, 'rowgroup' unless told otherwise). Classes are those of
    ``parquetread``, the same in every read: where values of whole numbers or logicals are missing
    in any of the files, they are doubles. ``partition`` and ``subset`` take
    row groups, with 'file' files. Needs the addition ``pip install 'fuselab[parquet]'``.
    """
    files, rest = stored_files("parquetDatastore", location, args, (".parquet", ".parq"))
    options = option_pairs("parquetDatastore", rest, f"{OPTIONS} ReadSize")
    footers = tuple(Footer(Path(file)) for file in files)
    wanted = wanted_of("parquetDatastore", footers[0], options)
    units = [(footer, group) for footer in footers for group in range(footer.groups)]
    size = own_size(options.get("readsize", "rowgroup"), _SIZES, ParquetStore.kind)
    return ParquetStore(footers, units, wanted, size)
