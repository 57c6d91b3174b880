"""Writing NetCDF files of the classic format: nccreate, ncwrite, ncwriteatt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app import paths, restricted
from app.engine.arguments.checks import option_pairs, real_number
from app.engine.builtins.files.netcdf import NEVER_WRITTEN
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.values import (
    DTYPE_OF_CLASS,
    Cell,
    Value,
    as_array,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from scipy.io import netcdf_file

_FAMILY = "files"
_CLASSES: dict[str, tuple[str, float | bytes]] = {
    "double": ("d", NEVER_WRITTEN),
    "single": ("f", NEVER_WRITTEN),
    "int32": ("i", -2147483647),
    "int16": ("h", -32767),
    "int8": ("b", -127),
    "uint8": ("B", 255),
    "char": ("c", b"\0"),
}
"""The library's letter of a class, and what the format holds where nothing was written."""
_NEW = (
    "a = [1 2 3; 4 5 6]; nccreate('t.nc', 'a', 'Dimensions', {'r', 2, 'c', 3}); "
    "ncwrite('t.nc', 'a', a); "
)


@contextmanager
def _writing(name: str, file: Value) -> Iterator[netcdf_file]:
    """A classic file to add to. The old one stays as it is unless all is written."""
    from scipy.io import netcdf_file

    path = Path(text_of(file)).expanduser()
    restricted.check_writing(path)
    old = path.read_bytes() if path.is_file() else None
    if old and old[:3] != b"CDF":
        text = "Only NetCDF files of the classic format can be written; this one is HDF5."
        raise MatlabError("MATLAB:imagesci:netcdf:unsupportedFormat", text)
    if old is not None:  # the library writes what it opened to change also where it is damaged
        with reading(name, path):
            netcdf_file(BytesIO(old), "r", mmap=False).close()
    content = BytesIO(old or b"")
    handle = netcdf_file(content, "w" if old is None else "a", mmap=False)
    try:
        yield handle
        handle.flush()
        paths.put_whole(path, content.getvalue())
    finally:
        handle.mode = "r"
        handle.close()


def _checked_text(function: str, *values: Value) -> None:
    if not all(is_text_scalar(v) for v in values):
        raise MatlabError(f"MATLAB:imagesci:{function}:invalidType", "Names must be text.")


def _records(handle: netcdf_file) -> int:
    """How long the dimension without limit is so far."""
    return max((len(v.data) for v in handle.variables.values() if v.isrec), default=0)


def _lengths(items: list[Value]) -> dict[str, float]:
    """Names of dimensions with the lengths behind them; NaN for one that should be there."""
    found: dict[str, float] = {}
    for k, item in enumerate(items):
        if is_text_scalar(item):
            follows = items[k + 1] if k + 1 < len(items) else ""
            found[text_of(item)] = np.nan if is_text_scalar(follows) else real_number(follows)
    return found


def _add_dimension(handle: netcdf_file, name: str, length: float) -> None:
    if np.isnan(length):
        text = f"The dimension '{name}' needs a length."
        raise MatlabError("MATLAB:imagesci:nccreate:dimensionLength", text)
    if not np.isinf(length):
        handle.createDimension(name, int(length))
    elif handle.dimensions:
        text = f"The dimension '{name}' without limit must be the first one that a file is given."
        raise MatlabError("MATLAB:imagesci:nccreate:unlimitedPosition", text)
    else:
        handle.createDimension(name, None)


@builtin(
    "nccreate",
    category=_FAMILY,
    least=2,
    signatures=(
        "nccreate(file, name)",
        "nccreate(file, name, 'Dimensions', {n1, s1, ...}, 'Datatype', class)",
    ),
    cases=("nccreate('t.nc', 'x'); ncwrite('t.nc', 'x', 7); ncread('t.nc', 'x') == 7",),
    see=("ncwrite", "ncinfo"),
)
def nccreate(file: Value, name: Value, *rest: Value) -> Value:
    """Make a variable in a NetCDF file of the classic format, the only Format that is written."""
    _checked_text("nccreate", file, name)
    options = option_pairs("nccreate", rest, "Datatype Dimensions FillValue Format")
    if (wanted := text_of(options.get("format", "classic"))) != "classic":
        text = f"Files of the format '{wanted}' cannot be written: leave it out, or use h5create."
        raise MatlabError("MATLAB:imagesci:nccreate:unsupportedFormat", text)
    given = options.get("dimensions")
    items = list(given.items()) if isinstance(given, Cell) else []
    kind = text_of(options.get("datatype", "double"))
    if kind not in _CLASSES:
        text = f"The classic format has no class '{kind}'. It has {', '.join(_CLASSES)}."
        raise MatlabError("MATLAB:imagesci:nccreate:unsupportedDatatype", text)
    lengths = _lengths(items)
    names = list(lengths)
    with _writing("nccreate", file) as handle:
        if any(handle.dimensions.get(n, lengths[n]) in (None, np.inf) for n in names[:-1]):
            text = "A dimension without limit must be the last one of a variable."
            raise MatlabError("MATLAB:imagesci:nccreate:unlimitedPosition", text)
        for dimension in sorted(names, key=lambda n: not np.isinf(lengths[n])):
            if dimension not in handle.dimensions:
                _add_dimension(handle, dimension, lengths[dimension])
        code, fill = _CLASSES[kind]
        made = handle.createVariable(text_of(name), code, tuple(names[::-1]))
        if "fillvalue" in options and not is_text_scalar(options["fillvalue"]):
            fill = DTYPE_OF_CLASS[kind].type(real_number(options["fillvalue"]))
            setattr(made, "_FillValue", fill)  # noqa: B010 - netCDF's name, no private field
        if made.isrec and (count := _records(handle)):
            made[:count] = np.full((count, *made.shape[1:]), fill)
        elif not made.isrec:
            made.data[...] = fill  # the library leaves there what memory held
    return ()


@builtin(
    "ncwrite",
    category=_FAMILY,
    signatures=("ncwrite(file, name, data)", "ncwrite(file, name, data, start)"),
    cases=(_NEW + "ncwrite('t.nc', 'a', 9, [2 1]); isequal(ncread('t.nc', 'a'), [1 2 3; 9 5 6])",),
    see=("nccreate", "ncread"),
)
def ncwrite(file: Value, name: Value, data: Value, start: Value | None = None) -> Value:
    """Write values of a variable that exists in a NetCDF file of the classic format."""
    _checked_text("ncwrite", file, name)
    new = (
        np.array([c.encode() for c in data])
        if isinstance(data, str)
        else np.asarray(as_array(data))
    )
    with _writing("ncwrite", file) as handle:
        found = handle.variables.get(text_of(name))
        if found is None:
            text = f"The variable '{text_of(name)}' was not found in the file."
            raise MatlabError("MATLAB:imagesci:ncwrite:unknownLocation", text)
        turned = new.T
        if not found.dimensions:
            found.data = np.asarray(turned.ravel()[0], dtype=found.data.dtype)
            return ()
        count = len(found.dimensions)
        turned = (
            turned.reshape(-1)
            if count == 1
            else turned.reshape((1,) * (count - turned.ndim) + turned.shape)
        )
        first = (
            np.zeros(count, dtype=int)
            if start is None
            else (np.asarray(as_array(start), dtype=int).ravel()[::-1] - 1)
        )
        found[tuple(slice(f, f + n) for f, n in zip(first, turned.shape, strict=True))] = turned
    return ()


@builtin(
    "ncwriteatt",
    category=_FAMILY,
    signatures=("ncwriteatt(file, location, name, value)",),
    cases=(_NEW + "ncwriteatt('t.nc', '/', 'made', 3); ncreadatt('t.nc', '/', 'made') == 3",),
    see=("ncreadatt",),
)
def ncwriteatt(file: Value, location: Value, name: Value, value: Value) -> Value:
    """Write an attribute of a variable, or of the whole file with ``'/'``."""
    _checked_text("ncwriteatt", file, location, name)
    with _writing("ncwriteatt", file) as handle:
        where = text_of(location)
        target = handle if where == "/" else handle.variables.get(where)
        if target is None:
            text = f"The variable '{where}' was not found in the file."
            raise MatlabError("MATLAB:imagesci:ncwriteatt:unknownLocation", text)
        a = None if is_text_scalar(value) else np.asarray(as_array(value)).ravel()
        plain = text_of(value) if a is None else a if a.size > 1 else a[0]
        setattr(target, text_of(name), plain)
    return ()
