"""Data sets and attributes of HDF5 files: h5read, h5write, h5create, h5info and kin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.engine.arguments.checks import NONNEGATIVE, NUMBERS, TEXT, option_pairs, real_number, takes
from app.engine.builtins.files.hdf_checks import check_node, opened_to_read, opened_to_write
from app.engine.builtins.files.hdf_descriptions import object_description
from app.engine.builtins.files.mat_hdf_read import plain_value
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    is_char,
    is_string,
    numel,
    text_of,
    texts_of,
)
from app.errors import MatlabError, reason_of

_FAMILY = "files"
_CLASSES = {
    "logical": np.dtype(np.int8),
    "double": np.dtype(np.float64),
    "single": np.dtype(np.float32),
}
_TEXT_DEFAULTS = (("datatype", "double"), ("textencoding", "UTF-8"))
_FILTERS = ("shuffle", "fletcher32")
_CREATION = "Datatype ChunkSize Deflate Shuffle Fletcher32 FillValue TextEncoding"


def _opened_file(name: Value, mode: str) -> Any:
    path = Path(text_of(name)).expanduser()
    if mode == "r" and not path.is_file():
        text = f"The file '{path}' does not exist."
        raise MatlabError("MATLAB:imagesci:h5read:fileOpenErr", text)
    try:
        return opened_to_read(path) if mode == "r" else opened_to_write(path, mode)
    except OSError as problem:
        text = f"Unable to open the HDF5 file '{path}': {reason_of(problem)}."
        raise MatlabError("MATLAB:imagesci:hdf5lib:libraryError", text) from problem


def _node(
    file: Any, place: Value, identifier: str = "MATLAB:imagesci:h5read:datasetDoesNotExist"
) -> Any:
    name = text_of(place)
    with reading("h5read", Path(file.filename)):
        if name not in file:
            text = f"'{name}' is not in the file '{file.filename}'."
            raise MatlabError(identifier, text)
        node = file[name]
        check_node(node)
        return node


def _window(start: Value, count: Value, stride: Value | None) -> tuple[slice, ...]:
    """What MATLAB's first element, counts and steps mean in the file's order of dimensions."""
    first, many = (as_array(v).ravel().astype(int) for v in (start, count))
    steps = np.ones_like(first) if stride is None else as_array(stride).ravel().astype(int)
    ends = [
        None if np.isinf(c) else a - 1 + c * s
        for a, c, s in zip(first, as_array(count).ravel(), steps, strict=True)
    ]
    parts = [
        slice(a - 1, None if e is None else int(e), s)
        for a, e, s in zip(first, ends, steps, strict=True)
    ]
    return tuple(parts[: many.size][::-1])


@builtin(
    "h5read",
    reads_file=True,
    category=_FAMILY,
    signatures=("data = h5read(file, place)", "data = h5read(file, place, start, count, stride)"),
    cases=(
        "h5create('x.h5', '/a', [1 3]); h5write('x.h5', '/a', [4 5 6]); "
        "isequal(h5read('x.h5', '/a', [1 2], [1 2]), [5 6])",
    ),
    see=("h5write", "h5info", "h5readatt", "load"),
)
@takes(TEXT, TEXT, NUMBERS, NUMBERS, NUMBERS)
def h5read(
    name: Value,
    place: Value,
    start: Value | None = None,
    count: Value | None = None,
    stride: Value | None = None,
) -> Value:
    """Read a data set of an HDF5 file, or a part of it."""
    with _opened_file(name, "r") as file:
        node = _node(file, place)
        part = () if start is None or count is None else _window(start, count, stride)
        found = plain_value(node[part])
        if isinstance(found, Cell) and all(isinstance(item, str) for item in found.items()):
            return StringArray.of(texts_of(found), found.shape)
        return found


@builtin(
    "h5readatt",
    reads_file=True,
    category=_FAMILY,
    signatures=("value = h5readatt(file, place, name)",),
    cases=(
        "h5create('x.h5', '/a', 1); h5writeatt('x.h5', '/a', 'unit', 'm'); "
        "strcmp(h5readatt('x.h5', '/a', 'unit'), 'm')",
    ),
    see=("h5writeatt", "h5read"),
)
@takes(TEXT, TEXT, TEXT)
def h5readatt(name: Value, place: Value, attribute: Value) -> Value:
    """Read an attribute of a data set or a group of an HDF5 file."""
    with _opened_file(name, "r") as file:
        found = _node(file, place).attrs
        with reading("h5readatt", Path(file.filename)):
            if text_of(attribute) not in found:
                text = f"There is no attribute '{text_of(attribute)}'."
                raise MatlabError("MATLAB:imagesci:h5readatt:libraryError", text)
            return plain_value(found[text_of(attribute)])


@builtin(
    "h5create",
    category=_FAMILY,
    signatures=(
        "h5create(file, place, size)",
        "h5create(..., 'Datatype', class)",
        "h5create(..., 'ChunkSize', [4 4], 'Deflate', 9)",
    ),
    cases=("h5create('x.h5', '/a', [2 3]); isequal(h5read('x.h5', '/a'), zeros(2, 3))",),
    see=("h5write",),
)
@takes(TEXT, TEXT, NUMBERS & NONNEGATIVE)
def h5create(name: Value, place: Value, size: Value, *options: Value) -> None:
    """Make a data set of a given size in an HDF5 file, which is made if need be.

    Datatype is a numeric class or 'string'; ChunkSize, Deflate (0 to 9), Shuffle, Fletcher32 and
    FillValue say how it is kept. A length of Inf may grow, which needs a ChunkSize.
    """
    given = option_pairs("h5create", options, _CREATION)
    kind, encoding = (text_of(given.get(n, d)) for n, d in _TEXT_DEFAULTS)
    if encoding.lower() not in {"utf-8", "system"}:
        raise MatlabError(
            "MATLAB:imagesci:h5create:badEncoding", "TextEncoding is UTF-8 or system."
        )
    lengths = as_array(size).ravel()[::-1]
    shape = tuple(0 if np.isinf(n) else int(n) for n in lengths)
    most = tuple(None if np.isinf(n) else int(n) for n in lengths)
    extra: dict[str, object] = {k: bool(real_number(given[k])) for k in _FILTERS if k in given}
    if None in most:
        extra |= {"maxshape": most, "chunks": True}
    if "chunksize" in given:
        extra["chunks"] = tuple(int(n) for n in as_array(given["chunksize"]).ravel()[::-1])
    if "deflate" in given and (level := int(real_number(given["deflate"]))):
        extra |= {"compression": "gzip", "compression_opts": level}
    if "fillvalue" in given:
        extra["fillvalue"] = real_number(given["fillvalue"])
    with _opened_file(name, "a") as file:
        with reading("h5create", Path(file.filename)):
            is_there = text_of(place) in file
        if is_there:
            text = f"The data set '{text_of(place)}' exists already."
            raise MatlabError("MATLAB:imagesci:h5create:datasetAlreadyExists", text)
        file.create_dataset(text_of(place), shape, dtype=_stored_type(kind), **extra)


def _stored_type(kind: str) -> object:
    """The library's type for a class."""
    if kind == "string":
        import h5py

        return h5py.string_dtype()
    return _CLASSES.get(kind) or np.dtype(kind)


@builtin(
    "h5write",
    category=_FAMILY,
    signatures=("h5write(file, place, data)", "h5write(file, place, data, start, count)"),
    cases=(
        "h5create('x.h5', '/a', [2 2]); h5write('x.h5', '/a', [1 2; 3 4]); "
        "isequal(h5read('x.h5', '/a'), [1 2; 3 4])",
    ),
    see=("h5create", "h5read"),
)
@takes(TEXT, TEXT)
def h5write(
    name: Value,
    place: Value,
    data: Value,
    start: Value | None = None,
    count: Value | None = None,
    stride: Value | None = None,
) -> None:
    """Write into a data set that ``h5create`` made."""
    with _opened_file(name, "r+") as file:
        node = _node(file, place)
        stored = _data_to_store(data, node.ndim)
        if start is not None and count is not None:
            window = _window(start, count, stride)
            grown = tuple(max(n, w.stop or n) for n, w in zip(node.shape, window, strict=True))
            if grown != node.shape:
                node.resize(grown)
            node[window] = stored
        else:
            node[...] = stored


@builtin(
    "h5writeatt",
    category=_FAMILY,
    signatures=("h5writeatt(file, place, name, value)",),
    cases=(
        "h5create('x.h5', '/a', 1); h5writeatt('x.h5', '/', 'n', 3); "
        "h5readatt('x.h5', '/', 'n') == 3",
    ),
    see=("h5readatt",),
)
@takes(TEXT, TEXT, TEXT)
def h5writeatt(name: Value, place: Value, attribute: Value, value: Value) -> None:
    """Write an attribute of a data set or a group of an HDF5 file."""
    with _opened_file(name, "r+") as file:
        text = is_char(value) or is_string(value)
        kept = text_of(value) if text else _data_to_store(value, 1 if numel(value) > 1 else 0)
        _node(file, place).attrs[text_of(attribute)] = kept


def _data_to_store(v: Value, ndim: int) -> Any:
    if is_string(v) or isinstance(v, Cell):
        a = np.array(texts_of(v), dtype=object).reshape(v.shape, order="F")
    else:
        a = np.asarray(as_array(v))
    a = a.astype(np.int8) if a.dtype == bool else a
    return a.ravel(order="F").reshape(() if ndim == 0 else (-1,)) if ndim < 2 else a.T


@builtin(
    "h5info",
    reads_file=True,
    category=_FAMILY,
    signatures=("s = h5info(file)", "s = h5info(file, place)"),
    cases=(
        "h5create('x.h5', '/a', [2 3]); s = h5info('x.h5', '/a'); isequal(s.Dataspace.Size, [2 3])",
    ),
    see=("h5read",),
)
@takes(TEXT, TEXT)
def h5info(name: Value, place: Value = "/") -> Value:
    """What a file, group or data set of HDF5 holds, as a struct."""
    with _opened_file(name, "r") as file:
        node = _node(file, place, "MATLAB:imagesci:h5info:unableToFind")
        with reading("h5info", Path(file.filename)):
            found = object_description(node)
        found.fields["Filename"] = str(Path(text_of(name)).expanduser().resolve())
        return found
