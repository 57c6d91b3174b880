"""Columns of Parquet files as variables of tables, and back.

Classes follow MATLAB's "Apache Parquet Data Type Mappings": whole numbers and logicals of which
some are missing become doubles with NaN, texts strings, points in time datetimes, times of day
durations, dictionaries of texts categoricals, groups tables, lists cells. Beyond it decimals become
doubles, lengths of time that Arrow describes durations, and binary values cells of uint8.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.arrays.categorical_class import Categorical
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_rows import rows_at
from app.engine.builtins.dates.datetime_class import DATE, Datetime
from app.engine.builtins.dates.duration_class import Duration
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    StringArray,
    Value,
    as_array,
    canonical,
    class_of,
    is_char,
    is_numeric_like,
    numel,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    import pyarrow as pa

    _Reader = Callable[[pa.ChunkedArray, str, bool], Value]
    _Fits = Callable[[ModuleType, pa.DataType], bool]

_DAY_MS = 86400e3
_PER_MS = {"s": 1e-3, "ms": 1.0, "us": 1e3, "ns": 1e6}
_MISSING = "Parquet files need the package 'pyarrow': pip install 'fuselab[parquet]'"


def arrow() -> ModuleType:
    """The package that reads and writes Parquet files.

    Raises:
        MatlabError: it is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError as problem:
        raise MatlabError("MATLAB:parquetio:missingPackage", _MISSING) from problem
    found: ModuleType = pa
    return found


# --- reading ----------------------------------------------------------------------------------


def variable_of(column: pa.ChunkedArray, name: str, gaps: bool = False) -> Value:
    """A column as a variable: one row per value.

    Args:
        column: the values.
        name: the column's name, for errors.
        gaps: whether whole numbers and logicals become doubles though none is missing here,
            because some are elsewhere.

    Raises:
        MatlabError: columns of its type are not read.
    """
    pa, kind = arrow(), column.type
    if isinstance(kind, pa.BaseExtensionType):
        storage = [chunk.storage for chunk in column.chunks]
        return variable_of(pa.chunked_array(storage, kind.storage_type), name, gaps)
    reader = next((read for fits, read in _READERS if fits(pa.types, kind)), None)
    if reader is None:
        text = f"Variable '{name}' has the type {kind}, which is not read. "
        text += "Name the others in 'SelectedVariableNames'."
        raise MatlabError("MATLAB:parquetio:read:unsupportedType", text)
    return reader(column, name, gaps)


def class_of_type(kind: pa.DataType, name: str, gaps: bool) -> str:
    """The class of the variable that a column of a type becomes; the type where it is not read."""
    try:
        return class_of(variable_of(arrow().chunked_array([], kind), name, gaps))
    except MatlabError:
        return str(kind)


def _upright(values: Array) -> Array:
    return values.reshape(-1, 1, order="F")


def _plain_numbers(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    pa = arrow()
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    elif pa.types.is_decimal(column.type):
        column = column.cast(pa.string()).cast(pa.float64())  # rounded to the nearest
    elif not pa.types.is_floating(column.type) and (gaps or column.null_count):
        column = column.cast(pa.float64(), safe=False)
    return canonical(_upright(column.to_numpy()))


def _logicals(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    if gaps or column.null_count:
        values = column.cast(arrow().int8())
        return _plain_numbers(values, name, True)
    return canonical(_upright(column.to_numpy().astype(bool)))


def _nothing(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    return canonical(np.full((len(column), 1), np.nan))


def _strings(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    try:
        return StringArray(_upright(column.to_numpy()))
    except UnicodeDecodeError as problem:
        text = f"Variable '{name}' holds text that is not UTF-8."
        raise MatlabError("MATLAB:parquetio:read:invalidText", text) from problem


def _bytes(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    items = [
        EMPTY if x is None else canonical(np.frombuffer(x, np.uint8).reshape(-1, 1).copy())
        for x in column.to_pylist()
    ]
    return Cell(object_array(items, (len(items), 1)))


def _milliseconds(column: pa.ChunkedArray, per_ms: float) -> Array:
    """Whole numbers of a unit in milliseconds, as exactly as doubles are; NaN for missing ones."""
    pa = arrow()
    width = pa.int32() if column.type.bit_width == 32 else pa.int64()
    counts = column.cast(width).cast(pa.int64())
    missing = counts.is_null().to_numpy() if counts.null_count else None
    if missing is not None:
        counts = counts.fill_null(0)
    whole = counts.to_numpy()
    if per_ms <= 1:
        made = whole * (1 / per_ms)
    else:
        made = whole // int(per_ms) + (whole % int(per_ms)) / per_ms
    if missing is not None:
        made[missing] = np.nan
    return _upright(made)


def _dates(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    per_ms = 1.0 if column.type.bit_width == 64 else 1 / _DAY_MS
    return Datetime(_milliseconds(column, per_ms), DATE)


def _timestamps(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    kind = column.type
    return Datetime(_milliseconds(column, _PER_MS[kind.unit]), "", kind.tz or "")


def _durations(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    return Duration(_milliseconds(column, _PER_MS[column.type.unit]))


def _categories(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    pa, kind = arrow(), column.type
    if not _is_text(pa.types, kind.value_type):
        return variable_of(column.cast(kind.value_type), name, gaps)
    column = column.unify_dictionaries()
    words = column.chunk(0).dictionary.to_pylist() if column.num_chunks else []
    names = [w for w in dict.fromkeys(words) if w is not None]
    numbers = {w: k + 1.0 for k, w in enumerate(names)}
    places = np.array([*(numbers.get(w, np.nan) for w in words), np.nan])
    index = pa.chunked_array([c.indices for c in column.chunks], kind.index_type)
    whole = index.cast(pa.int64()).fill_null(-1).to_numpy()
    return Categorical(_upright(places[whole]), names, bool(kind.ordered))


def _groups(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    pa, kind = arrow(), column.type
    fields = [kind.field(k) for k in range(kind.num_fields)]
    parts = column.flatten() if len(column) else [pa.chunked_array([], f.type) for f in fields]
    columns = {
        f.name: variable_of(part, f"{name}.{f.name}", gaps)
        for f, part in zip(fields, parts, strict=True)
    }
    return Table(columns, len(column))


def _lists(column: pa.ChunkedArray, name: str, gaps: bool) -> Value:
    pa, kind = arrow(), column.type
    if not len(column):
        return Cell(object_array([], (0, 1)))
    if pa.types.is_map(kind):
        chunks = [_pairs(chunk) for chunk in column.chunks]
        return _lists(pa.chunked_array(chunks), name, gaps)
    counts = pa.compute.list_value_length(column).fill_null(0).to_numpy()
    values = variable_of(pa.compute.list_flatten(column), name, gaps)
    missing = column.is_null().to_numpy()
    ends = np.cumsum(counts)
    items: list[Value] = []
    for last, count, nothing in zip(ends.tolist(), counts.tolist(), missing.tolist(), strict=True):
        items.append(EMPTY if nothing else rows_at(values, np.arange(last - count, last)))
    return Cell(object_array(items, (len(items), 1)))


def _pairs(chunk: pa.MapArray) -> pa.ListArray:
    """A map as a list of groups of key and value."""
    pa = arrow()
    pairs = pa.StructArray.from_arrays([chunk.keys, chunk.items], ["key", "value"])
    return pa.ListArray.from_arrays(chunk.offsets, pairs)


def _is_text(types: ModuleType, kind: pa.DataType) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_list(types: ModuleType, kind: pa.DataType) -> bool:
    found = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(found or types.is_map(kind))


_READERS: tuple[tuple[_Fits, _Reader], ...] = (
    (lambda t, k: t.is_integer(k) or t.is_floating(k) or t.is_decimal(k), _plain_numbers),
    (lambda t, k: t.is_boolean(k), _logicals),
    (_is_text, _strings),
    (lambda t, k: t.is_timestamp(k), _timestamps),
    (lambda t, k: t.is_date(k), _dates),
    (lambda t, k: t.is_time(k) or t.is_duration(k), _durations),
    (lambda t, k: t.is_dictionary(k), _categories),
    (lambda t, k: t.is_struct(k), _groups),
    (_is_list, _lists),
    (lambda t, k: t.is_binary(k) or t.is_large_binary(k) or t.is_fixed_size_binary(k), _bytes),
    (lambda t, k: t.is_null(k), _nothing),
)
"""Which types there are, and what reads each."""


# --- writing ----------------------------------------------------------------------------------


def column_of(value: Value, name: str) -> pa.Array:
    """A variable as a column: one value per row.

    Raises:
        MatlabError: variables of its class or shape are not written.
    """
    pa = arrow()
    if isinstance(value, Table):
        return _group_of(value, name)
    if isinstance(value, CharArray | str):
        return pa.array(value.rows() if isinstance(value, CharArray) else [value], pa.string())
    if len(size_of(value)) > 2 or size_of(value)[1] != 1:
        text = f"Variable '{name}' has {size_of(value)[1]} columns, and Parquet files have "
        text += "variables of one: use splitvars."
        raise MatlabError("MATLAB:parquetio:write:multipleColumns", text)
    if isinstance(value, StringArray):
        return pa.array(value.data.ravel(order="F").tolist(), pa.string())
    if isinstance(value, Datetime):
        return _stamps_of(value)
    if isinstance(value, Duration):
        return _times_of(value)
    if isinstance(value, Categorical):
        return _dictionary_of(value)
    if isinstance(value, Cell):
        return _list_of(value, name)
    if is_numeric_like(value) and as_array(value).dtype.kind in "bfiu":
        return pa.array(np.ascontiguousarray(as_array(value).ravel(order="F")))
    text = f"Variable '{name}' of class {class_of(value)} cannot be written to a Parquet file."
    if is_numeric_like(value):
        text = f"Variable '{name}' is complex, which Parquet files are not: write its real and "
        text += "imaginary parts."
    raise MatlabError("MATLAB:parquetio:write:unsupportedType", text)


def _counts(milliseconds: Array, per_ms: float) -> tuple[Array, Array]:
    """Whole numbers of a unit, and which are missing."""
    flat = milliseconds.ravel(order="F")
    missing = ~np.isfinite(flat)
    whole = np.floor(np.where(missing, 0.0, flat))
    rest = np.where(missing, 0.0, flat) - whole
    scale = int(per_ms)
    return whole.astype(np.int64) * scale + np.round(rest * scale).astype(np.int64), missing


def _stamps_of(value: Datetime) -> pa.Array:
    pa = arrow()
    counts, missing = _counts(value.data, _PER_MS["us"])
    return pa.array(counts, pa.int64(), mask=missing).cast(pa.timestamp("us", value.zone or None))


def _times_of(value: Duration) -> pa.Array:
    """Times of day where all are; others as lengths of time, which Arrow alone tells apart."""
    pa = arrow()
    counts, missing = _counts(value.data, _PER_MS["us"])
    within = bool(np.all((counts >= 0) & (counts < int(_DAY_MS * _PER_MS["us"]))))
    kind = pa.time64("us") if within else pa.duration("us")
    return pa.array(counts, pa.int64(), mask=missing).cast(kind)


def _dictionary_of(value: Categorical) -> pa.Array:
    pa = arrow()
    flat = value.data.ravel(order="F")
    missing = np.isnan(flat)
    index = np.where(missing, 0, flat - 1).astype(np.int32)
    return pa.DictionaryArray.from_arrays(
        pa.array(index, pa.int32(), mask=missing),
        pa.array(value.names, pa.string()),
        ordered=value.ordinal,
    )


def _group_of(value: Table, name: str) -> pa.Array:
    pa = arrow()
    columns = with_row_labels(value)
    if not columns:
        text = f"The table '{name}' has no variables, and Parquet files have no such groups."
        raise MatlabError("MATLAB:parquetio:write:unsupportedType", text)
    parts = [column_of(v, f"{name}.{n}") for n, v in columns.items()]
    return pa.StructArray.from_arrays(parts, list(columns))


def _list_of(value: Cell, name: str) -> pa.Array:
    """Texts as texts, columns of one class as lists."""
    pa = arrow()
    items = value.items()
    if any(map(is_char, items)) and all(is_char(x) or not numel(x) for x in items):
        return pa.array([text_of(x) if is_char(x) else "" for x in items], pa.string())
    upright = [_as_column(x, name) for x in items]
    filled = [x for x in upright if size_of(x)[0]]
    classes = {class_of(x) for x in filled}
    if len(classes) > 1:
        text = f"The cells of variable '{name}' hold {' and '.join(sorted(classes))}: Parquet "
        text += "files have lists of one class."
        raise MatlabError("MATLAB:parquetio:write:mixedCells", text)
    ends = np.cumsum([0, *(size_of(x)[0] for x in upright)])
    whole = concatenate(0, filled) if filled else canonical(np.zeros((0, 1)))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), column_of(whole, name))


def _as_column(item: Value, name: str) -> Value:
    """What a cell holds, as a column."""
    if isinstance(item, Table):
        return item
    if is_char(item):
        rows = texts_of(item)
        return StringArray.of(rows, (len(rows), 1))
    shape = size_of(item)
    if numel(item) and (len(shape) > 2 or min(shape) > 1):
        text = f"A cell of variable '{name}' holds a matrix: Parquet files have lists."
        raise MatlabError("MATLAB:parquetio:write:mixedCells", text)
    if len(shape) == 2 and shape[1] == 1:
        return item
    from app.engine.interpreter.indexing.index_read import paren

    return paren(item, ":")


def with_row_labels(table: Table) -> dict[str, Value]:
    """The variables of a table, before them its row times or the names of its rows."""
    label = table.dimension_names[0]
    if table.times is not None:
        return {label: table.times, **table.columns}
    if table.row_names:
        names = StringArray.of(table.row_names, (len(table.row_names), 1))
        return {label: names, **table.columns}
    return table.columns
