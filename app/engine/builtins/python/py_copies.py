"""Sparse matrices and parts of tables as calls that make them in another interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import pandas as pd

Parts = tuple[str, tuple[object, ...], dict[str, object]]


def _sparse_parts(value: object) -> Parts:
    arrays = (value.data, value.indices, value.indptr)  # type: ignore[attr-defined]
    return "scipy.sparse.csc_matrix", (arrays,), {"shape": value.shape}  # type: ignore[attr-defined]


def _frame_parts(value: object) -> Parts:
    columns = {name: _column_of(value[name]) for name in value}  # type: ignore[index,attr-defined]
    return "pandas.DataFrame", (columns,), {"index": value.index}  # type: ignore[attr-defined]


def _column_of(series: object) -> object:
    import pandas as pd

    made = cast("pd.Series[object]", series)
    if isinstance(made.dtype, pd.CategoricalDtype):
        return made.array
    if isinstance(made.dtype, pd.DatetimeTZDtype):
        return pd.DatetimeIndex(made)
    data = made.to_numpy()
    return data.tolist() if data.dtype.kind == "O" else data


def _index_parts(value: object) -> Parts:
    data = value.to_numpy()  # type: ignore[attr-defined]
    items = data.tolist() if data.dtype.kind == "O" else data
    return "pandas.Index", (items,), {"name": value.name}  # type: ignore[attr-defined]


def _range_parts(value: object) -> Parts:
    bounds = (value.start, value.stop, value.step)  # type: ignore[attr-defined]
    return "pandas.RangeIndex", bounds, {"name": value.name}  # type: ignore[attr-defined]


def _times_parts(value: object) -> Parts:
    index = cast("pd.DatetimeIndex", value)
    if index.tz is None:
        return _index_parts(value)
    return "pandas.DatetimeIndex.tz_convert", (_Utc(index), str(index.tz)), {}


class _Utc:
    """Times with a zone, to be sent as those of UTC."""

    def __init__(self, index: object) -> None:
        self.index = index


def _utc_parts(value: object) -> Parts:
    assert isinstance(value, _Utc)
    plain = value.index.tz_convert("UTC").tz_localize(None)  # type: ignore[attr-defined]
    return "pandas.DatetimeIndex", (plain.to_numpy(),), {"tz": "UTC", "name": plain.name}


def _categories_parts(value: object) -> Parts:
    codes, names = value.codes.tolist(), list(value.categories)  # type: ignore[attr-defined]
    named = {"categories": names, "ordered": bool(value.ordered)}  # type: ignore[attr-defined]
    return "pandas.Categorical.from_codes", (codes,), named


PARTS: dict[str, Callable[[object], Parts]] = {
    "scipy.csc_matrix": _sparse_parts,
    "scipy.csc_array": _sparse_parts,
    "pandas.DataFrame": _frame_parts,
    "pandas.Index": _index_parts,
    "pandas.RangeIndex": _range_parts,
    "pandas.TimedeltaIndex": _index_parts,
    "pandas.DatetimeIndex": _times_parts,
    "pandas.Categorical": _categories_parts,
    "app._Utc": _utc_parts,
    "fuselab._Utc": _utc_parts,
}
