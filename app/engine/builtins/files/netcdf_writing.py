"""Writing NetCDF files: nccreate, ncwrite, ncwriteatt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app import paths, restricted
from app.engine.arguments.checks import option_pairs, real_number
from app.engine.builtins.files import netcdf_hdf
from app.engine.builtins.files.netcdf import NEVER_WRITTEN, first_bytes, opened
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import cast
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    Cell,
    Value,
    as_array,
    char_codes,
    is_char,
    is_text_scalar,
    size_of,
    text_of,
    texts_of,
    true_value,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    import h5py

    from app.engine.builtins.files.netcdf_classic import ClassicFile

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
_MODERN_CLASSES: dict[str, tuple[str, float | bytes]] = {
    "uint16": ("H", 65535),
    "uint32": ("I", 4294967295),
    "int64": ("q", -9223372036854775806),
    "uint64": ("Q", 18446744073709551614),
    "string": ("O", b""),
}
"""What netCDF-4 has beside them."""
_FORMATS = ("classic", "64bit", "netcdf4_classic", "netcdf4")
_NEW = (
    "a = [1 2 3; 4 5 6]; nccreate('t.nc', 'a', 'Dimensions', {'r', 2, 'c', 3}); "
    "ncwrite('t.nc', 'a', a); "
)


@contextmanager
def _writing(name: str, file: Value, version: int = 1) -> Iterator[ClassicFile]:
    """A classic file to add to. The old one stays as it is unless all is written."""
    from app.engine.builtins.files.netcdf_classic import ClassicFile

    path = _path(file)
    restricted.check_writing(path)
    old = path.read_bytes() if path.is_file() else None
    if old is not None:  # the library writes what it opened to change also where it is damaged
        with reading(name, path):
            ClassicFile(BytesIO(old), "r", mmap=False).close()
    content = BytesIO(old or b"")
    handle = ClassicFile(content, "w" if old is None else "a", mmap=False, version=version)
    try:
        yield handle
        handle.flush()
        paths.put_whole(path, content.getvalue())
    finally:
        handle.mode = "r"
        handle.close()


def _path(file: Value) -> Path:
    return Path(text_of(file)).expanduser()


def _form(path: Path) -> str:
    """The format of a file as nccreate calls it; empty where there is none."""
    if not path.is_file():
        return ""
    start = first_bytes(path)
    if start[:3] == b"CDF":
        return "64bit" if start[3:] > b"\x01" else "classic"
    with opened("nccreate", str(path)) as found:
        return str(found.format)


def _checked_text(function: str, *values: Value) -> None:
    if not all(is_text_scalar(v) for v in values):
        raise MatlabError(f"MATLAB:imagesci:{function}:invalidType", "Names must be text.")


def _records(handle: ClassicFile) -> int:
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


def _check_length(name: str, length: float) -> None:
    if np.isnan(length):
        text = f"The dimension '{name}' needs a length."
        raise MatlabError("MATLAB:imagesci:nccreate:dimensionLength", text)


def _add_dimension(handle: ClassicFile, name: str, length: float) -> None:
    _check_length(name, length)
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
        "nccreate(file, name, 'Dimensions', {n1, s1, ...}, 'Datatype', class, 'FillValue', x)",
        "nccreate(..., 'Format', 'netcdf4', 'ChunkSize', c, 'DeflateLevel', n, 'Shuffle', tf)",
    ),
    cases=(
        "nccreate('t.nc', 'x'); ncwrite('t.nc', 'x', 7); ncread('t.nc', 'x') == 7",
        "nccreate('t.nc', '/g/x', 'Dimensions', {'r', Inf}, 'Format', 'netcdf4'); "
        "ncwrite('t.nc', '/g/x', 1:3); isequal(ncread('t.nc', '/g/x'), [1; 2; 3])",
    ),
    see=("ncwrite", "ncinfo"),
)
def nccreate(file: Value, name: Value, *rest: Value) -> Value:
    """Make a variable in a NetCDF file. A new file has the Format classic, 64bit, netcdf4_classic
    or netcdf4 (HDF5): only the last two compress, and only the last one has groups, several
    dimensions without limit, strings and all classes of integers."""
    _checked_text("nccreate", file, name)
    options = option_pairs(
        "nccreate", rest, "Datatype Dimensions FillValue Format ChunkSize DeflateLevel Shuffle"
    )
    there = _form(_path(file))
    form = text_of(options.get("format", there or "classic")).lower()
    if form not in _FORMATS:
        text = f"'{form}' is not a format of NetCDF files: {', '.join(_FORMATS)}."
        raise MatlabError("MATLAB:imagesci:nccreate:unsupportedFormat", text)
    if there and form != there:
        text = f"The file has the format '{there}', not '{form}'."
        raise MatlabError("MATLAB:imagesci:nccreate:formatMismatch", text)
    given = options.get("dimensions")
    lengths = _lengths(list(given.items()) if isinstance(given, Cell) else [])
    kind = text_of(options.get("datatype", "double"))
    known = {**_CLASSES, **_MODERN_CLASSES} if form == "netcdf4" else _CLASSES
    if kind not in known:
        text = f"The format '{form}' has no class '{kind}'. It has {', '.join(known)}."
        raise MatlabError("MATLAB:imagesci:nccreate:unsupportedDatatype", text)
    if form in {"netcdf4", "netcdf4_classic"}:
        _create_modern(_path(file), text_of(name), lengths, kind, options, form=form)
        return ()
    for option in ("ChunkSize", "DeflateLevel", "Shuffle"):
        if option.lower() in options:
            text = f"{option} needs the Format 'netcdf4' or 'netcdf4_classic', not '{form}'."
            raise MatlabError("MATLAB:imagesci:nccreate:unsupportedOption", text)
    own = text_of(name).removeprefix("/")
    if "/" in own:
        text = f"Groups need the Format 'netcdf4', not '{form}'."
        raise MatlabError("MATLAB:imagesci:nccreate:unsupportedOption", text)
    with _writing("nccreate", file, 2 if form == "64bit" else 1) as handle:
        _create_classic(handle, own, lengths, kind, options)
    return ()


def make_empty(path: Path, form: str) -> None:
    """A file without anything in it, in place of what is there."""
    restricted.check_writing(path)
    path.unlink(missing_ok=True)
    if form.startswith("netcdf4"):
        with netcdf_hdf.opened_to_write("netcdf", path) as file:
            netcdf_hdf.mark_file(file, strict=form == "netcdf4_classic")
        return
    with _writing("netcdf", str(path), 2 if form == "64bit" else 1):
        pass


def make_dimension(path: Path, name: str, length: float) -> None:
    """A dimension by its full name; an infinite one grows."""
    if _form(path).startswith("netcdf4"):
        with netcdf_hdf.opened_to_write("netcdf", path) as file:
            netcdf_hdf.add_dimension(*netcdf_hdf.group_of(file, name), length)
        return
    with _writing("netcdf", str(path)) as handle:
        _add_dimension(handle, name.lstrip("/"), length)


def _create_classic(
    handle: ClassicFile, name: str, lengths: dict[str, float], kind: str, options: dict[str, Value]
) -> None:
    names = list(lengths)
    if any(handle.dimensions.get(n, lengths[n]) in (None, np.inf) for n in names[:-1]):
        text = "A dimension without limit must be the last one of a variable."
        raise MatlabError("MATLAB:imagesci:nccreate:unlimitedPosition", text)
    for dimension in sorted(names, key=lambda n: not np.isinf(lengths[n])):
        if dimension not in handle.dimensions:
            _add_dimension(handle, dimension, lengths[dimension])
    code, fill = _CLASSES[kind]
    made = handle.createVariable(name, code, tuple(names[::-1]))
    if (given := _given_filling(options)) is not None:
        fill = given
        setattr(made, "_FillValue", DTYPE_OF_CLASS[kind].type(given))  # noqa: B010 - netCDF's name, no private field
    if made.isrec and (count := _records(handle)):
        made[:count] = np.full((count, *made.shape[1:]), fill)
    elif not made.isrec:
        made.data[...] = fill  # the library leaves there what memory held


def _given_filling(options: dict[str, Value]) -> float | None:
    """The FillValue, unless it is left to the library; 'disable' is text, too."""
    if "fillvalue" not in options or is_text_scalar(options["fillvalue"]):
        return None
    return real_number(options["fillvalue"])


def _create_modern(
    path: Path,
    name: str,
    lengths: dict[str, float],
    kind: str,
    options: dict[str, Value],
    *,
    form: str,
) -> None:
    import h5py

    kept: dict[str, object] = {}
    if "chunksize" in options:
        kept["chunks"] = tuple(np.asarray(as_array(options["chunksize"]), int).ravel()[::-1])
    if "deflatelevel" in options and (level := int(real_number(options["deflatelevel"]))):
        kept |= {"compression": "gzip", "compression_opts": level}
    if "shuffle" in options and true_value(options["shuffle"]):
        kept["shuffle"] = True
    dtype = (
        h5py.string_dtype()
        if kind == "string"
        else np.dtype("S1")
        if kind == "char"
        else DTYPE_OF_CLASS[kind]
    )
    filling = _given_filling(options)
    new = not path.is_file()
    with netcdf_hdf.opened_to_write("nccreate", path) as file:
        if new:
            netcdf_hdf.mark_file(file, strict=form == "netcdf4_classic")
        group, own = netcdf_hdf.group_of(file, name)
        for dimension, length in lengths.items():
            if netcdf_hdf.dimension_of(group, dimension) is None:
                _check_length(dimension, length)
                netcdf_hdf.add_dimension(group, dimension, length)
        shown: float | bytes | None = filling
        if shown is None and kind != "string":
            shown = {**_CLASSES, **_MODERN_CLASSES}[kind][1]
        made = netcdf_hdf.add_variable(
            group, own, list(lengths)[::-1], dtype, {**kept, "fillvalue": shown}
        )
        if filling is not None:
            made.attrs["_FillValue"] = np.array([filling], dtype)
        if not made.shape and shown is not None:
            made[()] = shown


@builtin(
    "ncwrite",
    category=_FAMILY,
    signatures=(
        "ncwrite(file, name, data)",
        "ncwrite(file, name, data, start)",
        "ncwrite(file, name, data, start, stride)",
    ),
    cases=(
        _NEW + "ncwrite('t.nc', 'a', 9, [2 1]); isequal(ncread('t.nc', 'a'), [1 2 3; 9 5 6])",
        "nccreate('t.nc', 'v', 'Dimensions', {'n', 3}); ncwrite('t.nc', 'v', [7 8], 1, 2); "
        "isequaln(ncread('t.nc', 'v'), [7; NaN; 8])",
    ),
    see=("nccreate", "ncread"),
)
def ncwrite(
    file: Value, name: Value, data: Value, start: Value | None = None, stride: Value | None = None
) -> Value:
    """Write values of a variable of a NetCDF file, scaled as its attributes scale_factor and
    add_offset say, NaN as its _FillValue."""
    _checked_text("ncwrite", file, name)
    write(_path(file), text_of(name), data, start, stride)
    return ()


def write(
    path: Path,
    name: str,
    data: Value,
    start: Value | None,
    stride: Value | None,
    *,
    scaled: bool = True,
) -> None:
    """Write values of a variable, places from 1; unless ``scaled`` just as they are.

    Raises:
        MatlabError: there is no such variable.
    """
    if _form(path).startswith("netcdf4"):
        with netcdf_hdf.opened_to_write("ncwrite", path) as hdf:
            _write_modern(hdf, name, data, start, stride, scaled=scaled)
        return
    with _writing("ncwrite", str(path)) as handle:
        found = handle.variables.get(name.lstrip("/"))
        if found is None:
            raise _unknown(name)
        facts = dict(found._attributes) if scaled else {}  # noqa: SLF001 - SciPy has no other list of them
        new = _stored(data, found.data.dtype, facts)
        if not found.dimensions:
            found.data = np.asarray(new.ravel()[0], dtype=found.data.dtype)
            return
        new, first, steps = _places(new, len(found.dimensions), start, stride)
        ends = (f + (n - 1) * s + 1 for f, n, s in zip(first, new.shape, steps, strict=True))
        found[tuple(slice(f, e, s) for f, e, s in zip(first, ends, steps, strict=True))] = new


def _unknown(name: str) -> MatlabError:
    text = f"The variable '{name}' was not found in the file."
    return MatlabError("MATLAB:imagesci:netcdf:unknownLocation", text)


def _write_modern(
    hdf: h5py.File,
    name: str,
    data: Value,
    start: Value | None,
    stride: Value | None,
    *,
    scaled: bool,
) -> None:
    import h5py

    found = hdf.get(name.strip("/"))
    if not isinstance(found, h5py.Dataset) or not netcdf_hdf.is_variable(found):
        raise _unknown(name)
    new = _stored(data, found.dtype, dict(found.attrs) if scaled else {})
    if found.shape:
        new, *places = _places(new, found.ndim, start, stride)
        netcdf_hdf.put(found, new, *places)
    else:
        found[()] = new.ravel()[0]


def _stored(data: Value, dtype: np.dtype, facts: dict[str, Any]) -> Array:
    """Values as the file holds them, in its order of dimensions."""
    if dtype.kind == "O":
        texts = np.array(texts_of(data), object)
        return texts.reshape(size_of(data) if not is_char(data) else (1, 1), order="F").T
    if is_char(data):
        codes = char_codes(data)
        return np.array([chr(c).encode() for c in codes.ravel()]).reshape(codes.shape).T
    new = np.asarray(as_array(data))
    scale, offset = (
        np.ravel(facts.get(n, d))[0] for n, d in (("scale_factor", 1), ("add_offset", 0))
    )
    if scale != 1 or offset != 0:
        new = (new.astype(np.float64) - offset) / scale
    if "_FillValue" in facts and new.dtype.kind == "f":
        new = np.where(np.isnan(new), np.ravel(facts["_FillValue"])[0], new)
    return np.asarray(cast(new, dtype.newbyteorder("="))).T


def _places(
    new: Array, count: int, start: Value | None, stride: Value | None
) -> tuple[Array, Array, Array]:
    """Values with as many dimensions as their variable, their first place and their steps."""
    shaped = new.reshape(-1) if count == 1 else new.reshape((1,) * (count - new.ndim) + new.shape)
    first, steps = np.zeros(count, int), np.ones(count, int)
    if start is not None:
        first = np.asarray(as_array(start), dtype=int).ravel()[::-1] - 1
    if stride is not None:
        steps = np.asarray(as_array(stride), dtype=int).ravel()[::-1]
    return shaped, first, steps


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
    where = text_of(location)
    a = None if is_text_scalar(value) else np.asarray(as_array(value)).ravel()
    if _form(_path(file)).startswith("netcdf4"):
        with netcdf_hdf.opened_to_write("ncwriteatt", _path(file)) as hdf:
            held = hdf.get(where.strip("/") or "/")
            if held is None:
                raise _unknown(where)
            held.attrs[text_of(name)] = np.bytes_(text_of(value).encode()) if a is None else a
        return ()
    with _writing("ncwriteatt", file) as handle:
        target = handle if where == "/" else handle.variables.get(where.lstrip("/"))
        if target is None:
            raise _unknown(where)
        plain = text_of(value) if a is None else a if a.size > 1 else a[0]
        setattr(target, text_of(name), plain)
    return ()
