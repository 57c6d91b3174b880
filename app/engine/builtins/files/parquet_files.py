"""Parquet files: what is in one, which of it is read, and how a table is written.

pyarrow reads and writes them. A file is opened for each read with the footer that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app import memory, paths
from app.engine.arguments.checks import one_of
from app.engine.builtins.containers.row_filter import RowFilter
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_convert import table2timetable
from app.engine.builtins.files.import_options import valid_names
from app.engine.builtins.files.parquet_columns import (
    arrow,
    class_of_type,
    column_of,
    variable_of,
    with_row_labels,
)
from app.engine.builtins.files.parquet_footer import StoredColumn, stored_columns
from app.engine.builtins.files.table_store import chosen_names
from app.engine.values import EMPTY, Value, is_numeric_like, is_text_scalar, numel, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    import pyarrow as pa

TIMES = "RowTimes SampleRate TimeStep StartTime"
_LOOK_ROWS = 1 << 17
_KEPT_BYTES = 8
"""What a value takes at least when it is read."""


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Within it, what the library says of a file becomes an error with the file's name."""
    pa = arrow()
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, LookupError, MemoryError) as problem:
        said = str(problem).strip().splitlines()
        text = f"Unable to read '{path}' as a Parquet file: {said[0] if said else 'it is damaged'}"
        raise MatlabError("MATLAB:parquetio:read:invalidFile", text) from problem


def _when_written(path: str) -> tuple[int, int]:
    """What tells a file from one that is written in its place later."""
    with reading(path):
        found = Path(path).stat()
    return found.st_mtime_ns, found.st_size


class Footer:
    """What a Parquet file says of itself.

    Attributes:
        path: the file.
        facts: pyarrow's FileMetaData.
        schema: the columns' names and types in Arrow's terms.

    Raises:
        MatlabError: the file is not there, or is no Parquet file.
    """

    def __init__(self, path: Path) -> None:
        parquet = arrow().parquet
        if not path.is_file():
            text = f"Unable to find or open '{path}'. Check the path and filename or file "
            text += "permissions."
            raise MatlabError("MATLAB:parquetio:read:fileNotFound", text)
        self.path = str(path.resolve())
        self._written = _when_written(self.path)
        with reading(self.path), parquet.ParquetFile(self.path) as file:
            self.facts = file.metadata
            self.schema = file.schema_arrow

    @property
    def groups(self) -> int:
        """How many row groups there are."""
        return int(self.facts.num_row_groups)

    @property
    def heights(self) -> list[int]:
        """The rows of each row group."""
        return [self.facts.row_group(k).num_rows for k in range(self.groups)]

    @cached_property
    def _leaves(self) -> list[range]:
        """The stored columns that belong to each variable."""
        found, at = [], 0
        for field in self.schema:
            found.append(range(at, at + _leaf_count(field.type)))
            at = found[-1].stop
        return found

    @cached_property
    def _columns(self) -> list[list[StoredColumn]]:
        """The stored columns of each row group."""
        self._must_be_the_same()
        with reading(self.path):
            return stored_columns(self.path)

    def stored(self, position: int, groups: Sequence[int] | None = None) -> Iterator[StoredColumn]:
        """The stored columns of a variable, row group by row group; of all groups for None."""
        for k in range(self.groups) if groups is None else groups:
            yield from self._columns[k][self._leaves[position].start : self._leaves[position].stop]

    def has_gaps(self, position: int) -> bool:
        """Whether a variable becomes one of doubles because values of it are missing.

        Where the file has no count of them, its values are looked at; of groups and lists they may
        be missing then.
        """
        pa, field = arrow(), self.schema.field(position)
        plain = pa.types.is_integer(field.type) or pa.types.is_boolean(field.type)
        nested = pa.types.is_nested(field.type)
        if not (plain or nested) or (plain and not field.nullable):
            return False
        counts = [column.missing for column in self.stored(position)]
        if nested or None not in counts:
            return any(count is None or count > 0 for count in counts)
        with reading(self.path), self.opened(ahead=False) as file:
            batches = file.iter_batches(_LOOK_ROWS, columns=[field.name])
            return any(batch.column(0).null_count for batch in batches)

    def class_at(self, position: int, gaps: bool) -> str:
        """The class of a variable."""
        field = self.schema.field(position)
        with reading(self.path):
            return class_of_type(field.type, field.name, gaps)

    def opened(self, *, ahead: bool = True) -> pa.parquet.ParquetFile:
        """The file, to be read from; ``ahead`` fetches all that is asked for at once.

        An error where it was written since: the footer says nothing of what is there now.
        """
        self._must_be_the_same()
        return arrow().parquet.ParquetFile(
            self.path,
            metadata=self.facts,
            pre_buffer=ahead,
            coerce_int96_timestamp_unit="us",
        )

    def _must_be_the_same(self) -> None:
        if _when_written(self.path) != self._written:
            text = f"'{self.path}' has changed since its datastore was made. Make a new datastore."
            raise MatlabError("MATLAB:parquetio:read:fileChanged", text)


def _leaf_count(kind: pa.DataType) -> int:
    """How many stored columns a column of a type is."""
    types = arrow().types
    if isinstance(kind, arrow().BaseExtensionType):
        return _leaf_count(kind.storage_type)
    if types.is_struct(kind):
        return sum(_leaf_count(kind.field(k).type) for k in range(kind.num_fields))
    if types.is_map(kind):
        return _leaf_count(kind.key_type) + _leaf_count(kind.item_type)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _leaf_count(kind.value_type)
    return 1


@dataclass(frozen=True)
class Wanted:
    """What is read of files: which variables, called how, which rows, as what.

    Attributes:
        names: what the variables are called, to their names in the files.
        selected: the variables that are read.
        condition: which rows are; None for all.
        times: the options about row times.
        timetable: whether a timetable is made.
    """

    names: dict[str, str]
    selected: tuple[str, ...]
    condition: RowFilter | None
    times: dict[str, Value]
    timetable: bool

    @property
    def needed(self) -> tuple[str, ...]:
        """The variables to read, those of the condition and of the times included."""
        used = sorted(self.condition.used) if self.condition is not None else ()
        label = self.times.get("rowtimes")
        named = (text_of(label),) if label is not None and is_text_scalar(label) else ()
        known = [n for n in (*named, *used) if n in self.names]
        return tuple(dict.fromkeys((*self.selected, *known)))

    def positions(self, footer: Footer) -> dict[str, int]:
        """Where the needed variables are in a file.

        Raises:
            MatlabError: one is not there.
        """
        order = list(self.names)
        found: dict[str, int] = {}
        for name in self.needed:
            places = footer.schema.get_all_field_indices(self.names[name])
            if not places:
                text = f"There is no variable '{self.names[name]}' in '{footer.path}'."
                raise MatlabError("MATLAB:parquetio:read:missingVariable", text)
            twins = [n for n in order if self.names[n] == self.names[name]]
            found[name] = places[min(twins.index(name), len(places) - 1)]
        return found

    def stored_names(self, footer: Footer) -> list[str] | None:
        """The columns to be read by name; None for all where names occur twice."""
        names = [self.names[n] for n in self.needed]
        plain = all(len(footer.schema.get_all_field_indices(n)) == 1 for n in names)
        return names if plain else None

    def table(self, footer: Footer, read: pa.Table, gaps: dict[str, bool]) -> Table:
        """The table of what was read of a file.

        Args:
            footer: the file.
            read: columns as the file calls them.
            gaps: of which variables some values are missing elsewhere.
        """
        by_name = self.stored_names(footer) is not None
        columns: dict[str, Value] = {}
        with reading(footer.path):
            for name, position in self.positions(footer).items():
                at = read.schema.get_field_index(self.names[name]) if by_name else position
                columns[name] = variable_of(read.column(at), name, gaps.get(name, False))
        made = Table(columns, read.num_rows)
        if self.condition is not None:
            made = made.rows(np.flatnonzero(made.fulfilling(self.condition)))
        return self._as_asked(made)

    def _as_asked(self, made: Table) -> Table:
        label = self.times.get("rowtimes")
        named = text_of(label) if label is not None and is_text_scalar(label) else ""
        kept = dict.fromkeys((*((named,) if named in self.names else ()), *self.selected))
        made = made.with_columns({n: made.columns[n] for n in kept})
        if not self.timetable:
            return made
        pairs = [x for pair in self.times.items() for x in pair]
        return table_argument(table2timetable(made, *pairs), "table2timetable")

    def with_selected(self, names: Sequence[str]) -> Wanted:
        """Other variables of the same files."""
        return replace(self, selected=tuple(names))

    def with_condition(self, function: str, condition: Value) -> Wanted:
        """Rows that fulfil another condition; all for ``[]``.

        Raises:
            MatlabError: it is no row filter.
        """
        if isinstance(condition, RowFilter):
            return replace(self, condition=condition)
        if is_numeric_like(condition) and not numel(condition):
            return replace(self, condition=None)
        text = "RowFilter takes what rowfilter gives, as rf.Name > 3."
        raise MatlabError(f"MATLAB:{function}:invalidRowFilter", text)


OPTIONS = f"SelectedVariableNames RowFilter OutputType VariableNamingRule {TIMES}"
"""The options about what is read, which `wanted_of` knows."""


def wanted_of(function: str, footer: Footer, options: dict[str, Value]) -> Wanted:
    """What options ask for of files like one.

    Raises:
        MatlabError: an option has no such value, or there is no such variable.
    """
    stored = [str(n) for n in footer.schema.names]
    rule = options.get("variablenamingrule", "modify")
    keep = one_of(function, "VariableNamingRule", rule, "modify preserve") == "preserve"
    unique = len(set(stored)) == len(stored) and all(n.strip() for n in stored)
    called = stored if keep and unique else valid_names(stored)
    names = dict(zip(called, stored, strict=True))
    times = {k: v for k, v in options.items() if k in TIMES.lower().split()}
    kind = one_of(function, "OutputType", options.get("outputtype", "auto"), "auto table timetable")
    if kind == "table" and times:
        text = f"'OutputType' is 'table', which has no {', '.join(sorted(times))}."
        raise MatlabError(f"MATLAB:{function}:RowTimesConflict", text)
    made = Wanted(names, tuple(called), None, times, kind == "timetable" or bool(times))
    if "selectedvariablenames" in options:
        chosen = options["selectedvariablenames"]
        made = made.with_selected(chosen_names(called, chosen, function.lower()))
    return made.with_condition(function, options.get("rowfilter", EMPTY))


def read_groups(footer: Footer, wanted: Wanted, groups: Sequence[int]) -> pa.Table:
    """Columns of some row groups of a file, as the file has them."""
    positions = wanted.positions(footer)
    heights = footer.heights
    rows = sum(heights[k] for k in groups)
    size = sum(c.size for at in positions.values() for c in footer.stored(at, groups))
    memory.require(max(size, rows * len(positions) * _KEPT_BYTES), f"what '{footer.path}' holds")
    with reading(footer.path), footer.opened() as file:
        return file.read_row_groups(list(groups), columns=wanted.stored_names(footer))


# --- writing ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Packing:
    """How variables are written.

    Attributes:
        version: of the format, ``1.0`` or ``2.6``.
        compressions: of each variable, as pyarrow names it.
        dictionaries: whether each variable is written with a dictionary.
        heights: the rows of each row group; empty for as many as the library takes.
    """

    version: str
    compressions: Sequence[str]
    dictionaries: Sequence[bool]
    heights: Sequence[int]


def written_columns(table: Table) -> pa.Table:
    """A table in Arrow's terms.

    Raises:
        MatlabError: a variable cannot be written.
    """
    columns = with_row_labels(table)
    arrays = [column_of(value, name) for name, value in columns.items()]
    return arrow().Table.from_arrays(arrays, names=list(columns))


def write_file(path: Path, columns: pa.Table, packing: Packing) -> None:
    """Write a file, or leave what there was."""
    parquet = arrow().parquet
    leaves = [_leaf_paths(field.type, field.name) for field in columns.schema]
    compression = {
        leaf: word
        for found, word in zip(leaves, packing.compressions, strict=True)
        for leaf in found
    }
    packed = [
        leaf
        for found, wish in zip(leaves, packing.dictionaries, strict=True)
        for leaf in found
        if wish
    ]
    if path.exists():
        paths.check_file(path)  # the library looks for places in it
    with paths.written_whole(path) as part:
        writer = parquet.ParquetWriter(
            part,
            columns.schema,
            version=packing.version,
            compression=compression or "none",
            use_dictionary=packed,
        )
        with writer:
            at = 0
            for height in packing.heights:
                writer.write_table(columns.slice(at, height), row_group_size=max(height, 1))
                at += height
            if not packing.heights:
                writer.write_table(columns)


def _leaf_paths(kind: pa.DataType, path: str) -> list[str]:
    """The names of the stored columns that a column of a type becomes."""
    types = arrow().types
    if types.is_struct(kind):
        fields = [kind.field(k) for k in range(kind.num_fields)]
        return [leaf for f in fields for leaf in _leaf_paths(f.type, f"{path}.{f.name}")]
    if types.is_list(kind):
        return _leaf_paths(kind.value_type, f"{path}.list.element")
    return [path]
