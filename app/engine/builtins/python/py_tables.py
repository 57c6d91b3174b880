"""Times and tables as NumPy and pandas keep them, and back.

============================================ ===================================================
MATLAB                                       Python
============================================ ===================================================
datetime scalar                              datetime.datetime, aware where it has a time zone
duration scalar                              datetime.timedelta
NaT, datetime and duration arrays            datetime64, timedelta64 in microseconds (UTC)
table                                        pandas.DataFrame; row names are its index
timetable                                    pandas.DataFrame; row times are its index
categorical column of a table, or vector     pandas.Categorical
============================================ ===================================================
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from app.engine.builtins.arrays.categorical_class import Categorical
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.dates.datetime_class import Datetime
from app.engine.builtins.dates.duration_class import Duration
from app.engine.builtins.dates.time_zones import zone_name
from app.engine.builtins.python.py_remote import fetched
from app.engine.values import (
    CLASS_OF_DTYPE,
    Array,
    Cell,
    DeviceArray,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    class_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    import pandas as pd

UNSUPPORTED = "MATLAB:Python:UnsupportedType"
_MICROSECONDS = 1e3
_FINE_UNITS = frozenset({"ns", "ps", "fs", "as"})
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def time_of(value: Datetime | Duration) -> object:
    """Points or lengths of time as Python keeps them; one row has one dimension."""
    if value.shape == (1, 1) and np.isfinite(value.data).all():
        return _one_time(value)
    return as_row(numpy_times(value))


def as_row(data: Array) -> Array:
    """One row as an array of one dimension; other arrays as they are."""
    return data.reshape(-1) if data.ndim == 2 and data.shape[0] == 1 else data


def _one_time(value: Datetime | Duration) -> object:
    length = dt.timedelta(microseconds=round(float(value.data.item()) * _MICROSECONDS))
    if isinstance(value, Duration):
        return length
    point = _EPOCH + length
    if not value.zone:
        return point.replace(tzinfo=None)
    shift = dt.timedelta(milliseconds=float(value.wall().item()) - float(value.data.item()))
    return point.astimezone(_zone(value.zone, shift))


def _zone(name: str, shift: dt.timedelta) -> dt.tzinfo:
    from zoneinfo import ZoneInfo

    return dt.timezone(shift) if name[:1] in "+-" else ZoneInfo(zone_name(name))


def numpy_times(value: Datetime | Duration) -> Array:
    """The elements as datetime64 (of UTC) or timedelta64 in microseconds, in the same shape."""
    kind = "timedelta64[us]" if isinstance(value, Duration) else "datetime64[us]"
    finite = np.isfinite(value.data)
    counts = np.round(np.where(finite, value.data, 0.0) * _MICROSECONDS).astype(np.int64)
    made = counts.astype(kind)
    made[~finite] = "NaT"
    return made


def times_from(found: object) -> Datetime | Duration | None:
    """A datetime or duration of Python's or NumPy's as MATLAB's; None for anything else.

    An aware datetime keeps its time zone; an array of one dimension makes a row.
    """
    match found:
        case dt.datetime() if found.tzinfo is not None:
            zone = getattr(found.tzinfo, "key", None) or _offset_name(found)
            return Datetime(_matrix((found - _EPOCH) / dt.timedelta(milliseconds=1)), "", zone)
        case dt.datetime():
            length = found.replace(tzinfo=dt.UTC) - _EPOCH
            return Datetime(_matrix(length / dt.timedelta(milliseconds=1)))
        case dt.date():
            return times_from(dt.datetime(found.year, found.month, found.day))  # noqa: DTZ001 - a date without a time
        case dt.timedelta():
            return Duration(_matrix(found / dt.timedelta(milliseconds=1)))
        case np.ndarray() | np.generic() if found.dtype.kind in "mM":
            return _from_numpy(np.asarray(found))
    return None


def _offset_name(found: dt.datetime) -> str:
    minutes = int((found.utcoffset() or dt.timedelta()).total_seconds() // 60)
    if not minutes:
        return "UTC"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _matrix(number: float) -> Array:
    return np.array([[number]])


def _from_numpy(data: Array) -> Datetime | Duration:
    kind = "datetime64" if data.dtype.kind == "M" else "timedelta64"
    is_fine = np.datetime_data(data.dtype)[0] in _FINE_UNITS
    # Coarser units reach beyond the 292 years that nanoseconds have.
    counts = data.astype(f"{kind}[{'ns' if is_fine else 'us'}]")
    per_ms = 1e6 if is_fine else _MICROSECONDS
    ms = np.where(np.isnat(counts), np.nan, counts.astype(np.int64) / per_ms)
    shaped = np.asfortranarray(ms if ms.ndim > 1 else ms.reshape(1, -1))
    return Datetime(shaped) if data.dtype.kind == "M" else Duration(shaped)


def numpy_values(value: NativeObject, convert: Callable[[Value], object]) -> object:
    """Times, tables and categories for a program that keeps shapes.

    What pandas cannot hold, or is not there for, stays the engine's value.
    """
    match value:
        case Datetime() | Duration():
            return time_of(value) if value.shape == (1, 1) else numpy_times(value)
        case Table():
            try:
                return frame_of(value, convert)
            except MatlabError:
                return value
        case Categorical() if len(value.shape) == 2 and 1 in value.shape and _has_pandas():
            return categories_of(value)
    return value


@cache
def _has_pandas() -> bool:
    return find_spec("pandas") is not None


def categories_of(value: Categorical) -> pd.Categorical:
    """A categorical vector as pandas keeps it."""
    import pandas as pd

    flat = value.data.ravel(order="F")
    codes = np.where(np.isnan(flat), 0, flat).astype(np.int64) - 1
    return pd.Categorical.from_codes(codes, categories=list(value.names), ordered=value.ordinal)


# --- tables -------------------------------------------------------------------------------------


def is_frame(found: object) -> TypeGuard[pd.DataFrame]:
    """Whether it is a DataFrame of pandas, which need not be installed."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(found, pandas.DataFrame)


def frame_of(table: Table, convert: Callable[[Value], object]) -> pd.DataFrame:
    """A table as a DataFrame; ``convert`` makes the elements of cells Python's.

    Raises:
        MatlabError: MATLAB:Python:UnsupportedType: pandas is not installed, or a variable is no
            column of numbers, text, times, categories or cells.
    """
    try:
        import pandas as pd
    except ImportError as problem:
        text = "Conversion of MATLAB 'table' to Python needs the package pandas."
        raise MatlabError(UNSUPPORTED, text) from problem
    columns = {name: _column(name, held, convert) for name, held in table.columns.items()}
    if table.times is None:
        return pd.DataFrame(columns, index=table.row_names or range(table.height))
    made = pd.DataFrame(columns, index=_column("Time", table.times, convert))
    made.index.name = "Time"
    return made


def _column(name: str, held: Value, convert: Callable[[Value], object]) -> object:
    match held:
        case Datetime() if held.zone and held.shape[1:] == (1,):
            import pandas as pd

            return pd.DatetimeIndex(_column_major(numpy_times(held)), tz="UTC").tz_convert(
                held.zone
            )
        case Datetime() | Duration() if held.shape[1:] == (1,):
            return _column_major(numpy_times(held))
        case Categorical() if held.shape[1:] == (1,):
            return categories_of(held)
        case StringArray() if held.shape[1:] == (1,):
            return np.asarray(_column_major(held.data), dtype=object)
        case Cell() if held.shape[1:] == (1,):
            return [convert(item) for item in held.items()]
        case bool() | float() | complex() | np.ndarray() | DeviceArray():
            data = as_array(held)
            if data.ndim == 2 and data.shape[1] == 1:
                return _column_major(data)
    size = "×".join(map(str, getattr(held, "shape", (1, 1))))
    text = f"The variable '{name}' ({size} {class_of(held)}) cannot be a column of a DataFrame."
    raise MatlabError(UNSUPPORTED, text)


def _column_major(data: Array) -> Array:
    return data.reshape(-1, order="F")


def row_of(found: object, convert: Callable[[object], Value]) -> Value | None:
    """A Series, an Index or an array of pandas as a row; None for its scalars."""
    import pandas as pd

    if not isinstance(found, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        return None
    column = _variable(pd.Series(found), convert)
    match column:
        case np.ndarray():
            return canonical(column.reshape(1, -1))
        case Cell() | StringArray():
            return type(column)(column.data.reshape(1, -1))
        case Datetime() | Duration() | Categorical():
            return column.like(column.data.reshape(1, -1))
    return column


def table_of(frame: pd.DataFrame, convert: Callable[[object], Value]) -> Table:
    """A DataFrame as a table, as a timetable where its index are times.

    Text of an index names the rows; another index than 0, 1, 2 … is the first variable.
    ``convert`` makes the objects in columns of mixed kinds MATLAB's.
    """
    import pandas as pd

    index = frame.index
    columns = {str(name): _variable(frame[name], convert) for name in frame.columns}
    if isinstance(index, pd.DatetimeIndex | pd.TimedeltaIndex):
        times = _variable(index.to_series(), convert)
        assert isinstance(times, Datetime | Duration)
        return Table(columns, times=times)
    if isinstance(index, pd.RangeIndex) and (index.start, index.step) == (0, 1):
        return Table(columns, len(frame))
    if index.is_unique and all(isinstance(label, str) for label in index):
        return Table(columns, len(frame), row_names=list(index))
    columns = {str(index.name or "index"): _variable(index.to_series(), convert), **columns}
    return Table(columns, len(frame))


def _variable(series: pd.Series[object], convert: Callable[[object], Value]) -> Value:
    import pandas as pd

    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        names = [str(name) for name in kind.categories]
        codes = series.cat.codes.to_numpy().astype(np.float64) + 1
        data = np.where(codes > 0, codes, np.nan).reshape(-1, 1)
        return Categorical(data, names, ordinal=bool(kind.ordered))
    if isinstance(kind, pd.DatetimeTZDtype):
        made = times_from(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
        assert isinstance(made, Datetime)
        return Datetime(made.data.reshape(-1, 1), "", str(kind.tz))
    return _variable_of(series.to_numpy(), series.isna().to_numpy(), convert)


def column_names(found: object) -> list[str]:
    """The fields of a structured array, or the columns of a frame of another library than pandas
    that shares them as Arrow does; none for anything else."""
    if isinstance(found, np.ndarray):
        return list(found.dtype.names or ())
    if not hasattr(found, "__arrow_c_stream__"):
        return []
    return list(getattr(found, "column_names", getattr(found, "columns", ())))


def named_columns(found: object, convert: Callable[[object], Value]) -> Table | None:
    """What has `column_names` as a table; None for anything else."""
    columns = {name: found[name] for name in column_names(found)}  # type: ignore[index]
    if not columns:
        return None
    return Table({name: _of_array(fetched(held), convert) for name, held in columns.items()})


def _of_array(data: object, convert: Callable[[object], Value]) -> Value:
    data = np.asarray(data).ravel(order="F")
    missing = np.array([item is None for item in data.tolist()], dtype=bool)
    return _variable_of(data, missing, convert)


def _variable_of(data: Array, missing: Array, convert: Callable[[object], Value]) -> Value:
    """Elements as a variable of a table; ``missing`` says which are not there."""
    if (times := times_from(data)) is not None:
        return times.like(times.data.reshape(-1, 1))
    if data.dtype in CLASS_OF_DTYPE:
        return np.asfortranarray(data.reshape(-1, 1))
    items = [None if gone else item for gone, item in zip(missing, data.tolist(), strict=True)]
    if all(item is None or isinstance(item, str) for item in items):
        return StringArray.of(items, (len(items), 1))
    if all(item is None or isinstance(item, int | float) for item in items):
        numbers = [np.nan if item is None else float(item) for item in items]
        return np.array(numbers).reshape(-1, 1)
    return Cell.of([convert(item) for item in items], (len(items), 1))
