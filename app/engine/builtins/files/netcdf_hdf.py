"""NetCDF-4 files, which are HDF5 files by the conventions of the netCDF library.

A dimension is a data set that HDF5 calls a dimension scale: the variable of the same name, or one
without values whose title says so. Each variable has the scales of its dimensions attached.
https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.files import hdf_checks
from app.engine.builtins.files.hdf_checks import is_scale
from app.engine.declarations.file_errors import reading
from app.engine.values import Array
from app.errors import MatlabError

if TYPE_CHECKING:
    import h5py

NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable."
"""How the title of a dimension begins that is no variable."""
OWN_FACTS = frozenset(
    "CLASS NAME DIMENSION_LIST REFERENCE_LIST _Netcdf4Dimid _Netcdf4Coordinates "
    "_NCProperties _nc3_strict".split()
)
"""Attributes by which the library keeps its account of a file."""


@contextmanager
def opened_to_write(name: str, path: Path) -> Iterator[h5py.File]:
    """A file to add to; it is made where there is none."""
    with reading(name, path):
        opened = hdf_checks.opened_to_write(path, "a", track_order=True)
    with opened as file:
        yield file


def mark_file(file: h5py.File, *, strict: bool) -> None:
    """Say what made a new file; ``strict``: that it keeps to what the classic format can hold."""
    import h5py

    hdf = ".".join(map(str, h5py.version.hdf5_version_tuple))
    file.attrs["_NCProperties"] = np.bytes_(f"version=2,h5py={h5py.__version__},hdf5={hdf}")
    if strict:
        file.attrs["_nc3_strict"] = np.int32(1)


def group_of(file: h5py.File, place: str) -> tuple[h5py.Group, str]:
    """The group, made where there is none, and the own name of a variable by its full name."""
    folder, _, name = place.strip("/").rpartition("/")
    group = file
    for part in filter(None, folder.split("/")):
        group = group[part] if part in group else group.create_group(part, track_order=True)
    return group, name


def dimension_of(group: h5py.Group, name: str) -> h5py.Dataset | None:
    """The dimension of that name as seen from a group, its own before those above it."""
    import h5py

    while True:
        found = group.get(name)
        if isinstance(found, h5py.Dataset) and is_scale(found):
            return found
        if group.name == "/":
            return None
        group = group.parent


def add_dimension(group: h5py.Group, name: str, length: float) -> h5py.Dataset:
    """A new dimension that is no variable; an infinite one grows."""
    endless = bool(np.isinf(length))
    size = 0 if endless else int(length)
    made = group.create_dataset(
        name,
        (size,),
        ">f4",
        maxshape=(None,) if endless else None,
        chunks=endless or None,
        track_order=True,
    )
    _make_dimension(made, f"{NO_VARIABLE}{size:11d}")
    return made


def _make_dimension(made: h5py.Dataset, title: str) -> None:
    number = 1 + max((int(d.attrs["_Netcdf4Dimid"]) for d in _numbered(made.file)), default=-1)
    made.make_scale(title)
    made.attrs["_Netcdf4Dimid"] = np.int32(number)


def _numbered(group: h5py.Group) -> list[h5py.Dataset]:
    return [d for d in data_sets(group) if "_Netcdf4Dimid" in d.attrs]


def data_sets(group: h5py.Group) -> list[h5py.Dataset]:
    """All data sets in a group and below it."""
    import h5py

    found: list[h5py.Dataset] = []
    group.visititems(lambda _, item: found.append(item) if isinstance(item, h5py.Dataset) else None)
    return found


def add_variable(
    group: h5py.Group, name: str, dimensions: list[str], dtype: np.dtype, kept: dict[str, object]
) -> h5py.Dataset:
    """A new variable; the one along a dimension of its own name stands for that dimension.

    Args:
        group: where it belongs.
        name: its own name.
        dimensions: its dimensions in the file's order; all are there.
        dtype: the type of its elements.
        kept: how h5py is to keep them.
    """
    scales = [dimension_of(group, n) for n in dimensions]
    lengths = tuple(s.shape[0] for s in scales if s is not None)
    most = tuple(s.maxshape[0] for s in scales if s is not None)
    old = group.get(name)
    if old is None:
        made = group.create_dataset(name, lengths, dtype, **_storage(lengths, most, kept))
        for place, scale in enumerate(scales):
            made.dims[place].attach_scale(scale)
        return made
    if dimensions != [name] or not _is_bare(old):
        text = f"The file has '{name}' already."
        raise MatlabError("MATLAB:imagesci:netcdf:libraryFailure", text)
    return _dimension_filled(group, old, dtype, kept)


def _storage(
    lengths: tuple[int, ...], most: tuple[int | None, ...], kept: dict[str, object]
) -> dict[str, object]:
    """How h5py is to keep a variable: in chunks where it grows or is compressed, and in the order
    it was made in, without which the netCDF library only reads."""
    if not lengths:
        return {"track_order": True}
    chunked = None in most or not {"fillvalue"} >= set(kept)
    grown = {"chunks": True, "maxshape": most} if chunked else {}
    return {**grown, **kept, "track_order": True}


def _dimension_filled(
    group: h5py.Group, old: h5py.Dataset, dtype: np.dtype, kept: dict[str, object]
) -> h5py.Dataset:
    """The variable that takes the place of a dimension without values."""
    return _replaced(group, old, dtype, _storage(old.shape, old.maxshape, kept))


def kept_otherwise(old: h5py.Dataset, changes: dict[str, object]) -> h5py.Dataset:
    """The variable, kept in another way: its values, attributes and place in the order of
    variables stay.

    Args:
        old: the variable.
        changes: h5py's words for how it is to be kept, over those by which it is; None drops one.
    """
    group, name = old.parent, old.name.rpartition("/")[2]
    names = list(group)
    later = names[names.index(name) + 1 :]
    words = ("chunks", "compression", "compression_opts", "shuffle", "fletcher32")
    kept = {word: getattr(old, word) for word in words}
    if old.dtype.kind != "O":
        kept["fillvalue"] = old.fillvalue
    kept = {word: value for word, value in (kept | changes).items() if value not in (None, False)}
    facts = {k: v for k, v in old.attrs.items() if k not in OWN_FACTS}
    values = old[()] if old.id.get_storage_size() else None  # None: nothing was written yet
    made = _replaced(group, old, old.dtype, _storage(old.shape, old.maxshape, kept))
    if values is not None:
        made[()] = values
    for fact, value in facts.items():
        made.attrs[fact] = value
    for other in later:  # the order is that in which their names were given
        group.move(other, f"{other} moved")
        group.move(f"{other} moved", other)
    return made


def _replaced(
    group: h5py.Group, old: h5py.Dataset, dtype: np.dtype, storage: dict[str, object]
) -> h5py.Dataset:
    """A data set without values in place of another one: the same dimensions, or the same one."""
    name, lengths = old.name.rpartition("/")[2], old.shape
    number = old.attrs["_Netcdf4Dimid"] if is_scale(old) else None
    users = [(d, k) for d in data_sets(group.file) for k, _ in uses_of(d, old)]
    scales = [] if is_scale(old) else [next(iter(d.values()), None) for d in old.dims]
    for user, place in users:
        user.dims[place].detach_scale(old)
    for place, scale in enumerate(scales):
        if scale is not None:
            old.dims[place].detach_scale(scale)
    del group[name]
    made = group.create_dataset(name, lengths, dtype, **storage)
    if number is not None:
        made.make_scale(name)
        made.attrs["_Netcdf4Dimid"] = number
    for user, place in users:
        user.dims[place].attach_scale(made)
    for place, scale in enumerate(scales):
        if scale is not None:
            made.dims[place].attach_scale(scale)
    return made


def _is_bare(item: h5py.Dataset) -> bool:
    return NO_VARIABLE in _title(item)


def _title(item: h5py.Dataset) -> str:
    found = item.attrs.get("NAME", b"")
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)


def is_variable(item: h5py.Dataset) -> bool:
    """Whether a data set is a variable, and not only a dimension."""
    return not (is_scale(item) and _is_bare(item))


def uses_of(data: h5py.Dataset, scale: h5py.Dataset) -> Iterator[tuple[int, h5py.Dataset]]:
    """Where a data set has a dimension."""
    if is_scale(data):
        return
    for place, held in enumerate(data.dims):
        if any(s == scale for s in held.values()):
            yield place, data


def put(data: h5py.Dataset, values: Array, first: Array, steps: Array) -> None:
    """Write values, in the file's order, from a place on; dimensions without limit grow."""
    if not data.shape:
        data[()] = values.reshape(-1)[0]
        return
    ends = [int(f + (n - 1) * s + 1) for f, n, s in zip(first, values.shape, steps, strict=True)]
    for place, end in enumerate(ends):
        if end > data.shape[place] and data.maxshape[place] is None:
            _grow(data, place, end)
    data[tuple(slice(int(f), e, int(s)) for f, e, s in zip(first, ends, steps, strict=True))] = (
        values
    )


def _grow(data: h5py.Dataset, place: int, length: int) -> None:
    """A dimension gets longer, and with it all variables that have it."""
    scale = data if is_scale(data) else next(iter(data.dims[place].values()), None)
    if scale is None:
        data.resize(length, place)
        return
    scale.resize(length, 0)
    for other in data_sets(data.file):
        for where, _ in uses_of(other, scale):
            other.resize(length, where)
