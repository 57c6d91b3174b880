"""Writing MAT-files of version 7.3: HDF5 with arrays transposed and classes as attributes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from app import restricted
from app.engine.values import (
    Cell,
    CharArray,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    char_codes,
    class_of,
    size_of,
)
from app.errors import MatlabError

_REFS = "#refs#"
_numbers = count()


def write_hdf(path: Path, variables: dict[str, Value]) -> None:
    """Write the variables as a file of version 7.3."""
    import h5py

    restricted.check_writing(path)  # the library opens files itself
    try:
        with h5py.File(path, "w", userblock_size=512) as file:
            _check_names(variables)
            for name, value in variables.items():
                _put(file, file, name, value)
    except RuntimeError as problem:  # it could not be closed, mostly after it could not be written
        first = problem.__context__
        raise first if isinstance(first, OSError) else OSError(str(problem)) from problem
    stamp = datetime.now().astimezone().strftime("%a %b %d %H:%M:%S %Y")
    text = f"MATLAB 7.3 MAT-file, Platform: Fuselab, Created on: {stamp} HDF5 schema 1.00 ."
    with path.open("r+b") as raw:
        raw.write(text.encode().ljust(116) + bytes(8) + b"\x00\x02IM")


def _check_names(names: Iterable[str]) -> None:
    """Raise MatlabError for a name that the library takes for a place in the file, or that the
    format, whose lists of fields are single bytes, cannot hold."""
    for name in names:
        if name in {"", "."} or "/" in name or not name.isascii():
            text = f"'{name}' cannot be a name in a MAT-file of version 7.3; rename the field."
            raise MatlabError("MATLAB:save:invalidName", text)


def _put(file: Any, parent: Any, name: str, v: Value) -> Any:
    if isinstance(v, Struct | StructArray):
        return _put_struct(file, parent, name, v)
    if isinstance(v, SparseMatrix):
        return _put_sparse(parent, name, v)
    kind = class_of(v)
    if 0 in size_of(v):
        node = parent.create_dataset(name, data=np.array(size_of(v), dtype=np.uint64))
        node.attrs["MATLAB_empty"] = np.uint8(1)
    elif isinstance(v, Cell):
        node = parent.create_dataset(name, data=_references(file, v.items(), v.shape))
    elif isinstance(v, str | CharArray):
        codes = np.minimum(char_codes(v), 0xFFFF).astype(np.uint16)
        node = parent.create_dataset(name, data=codes.T)
    else:
        node = parent.create_dataset(name, data=_storable_array(as_array(v)).T)
    node.attrs["MATLAB_class"] = np.bytes_(kind)
    if kind in ("char", "logical"):
        node.attrs["MATLAB_int_decode"] = np.int32(2 if kind == "char" else 1)
    return node


def _storable_array(a: Any) -> Any:
    if a.dtype.kind == "b":
        return a.astype(np.uint8)
    if a.dtype.kind == "c":
        part = a.real.dtype
        pairs = np.empty(a.shape, dtype=[("real", part), ("imag", part)])
        pairs["real"], pairs["imag"] = a.real, a.imag
        return pairs
    return a


def _references(file: Any, items: list[Value], shape: tuple[int, ...]) -> Any:
    """Every item written on its own, and the array of references to them, transposed."""
    import h5py

    group = file.require_group(_REFS)
    places = np.empty(len(items), dtype=h5py.ref_dtype)
    for k, item in enumerate(items):
        places[k] = _put(file, group, f"n{next(_numbers)}", item).ref
    return places.reshape(shape, order="F").T


def _put_struct(file: Any, parent: Any, name: str, v: Struct | StructArray) -> Any:
    import h5py

    _check_names(v.fields)
    if isinstance(v, StructArray) and 0 in v.shape:
        node = parent.create_dataset(name, data=np.array(v.shape, dtype=np.uint64))
        node.attrs["MATLAB_empty"] = np.uint8(1)
    else:
        node = parent.create_group(name)
        if isinstance(v, Struct):
            for field, value in v.fields.items():
                _put(file, node, field, value)
        else:
            for field, column in v.fields.items():
                items = list(column.ravel(order="F"))
                node.create_dataset(field, data=_references(file, items, v.shape))
    node.attrs["MATLAB_class"] = np.bytes_("struct")
    if v.fields:
        names = np.empty(len(v.fields), dtype=object)
        names[:] = [np.array(list(n), dtype="S1") for n in v.fields]
        node.attrs.create("MATLAB_fields", names, dtype=h5py.vlen_dtype(np.dtype("S1")))
    return node


def _put_sparse(parent: Any, name: str, v: SparseMatrix) -> Any:
    m = v.matrix.tocsc()
    m.sort_indices()
    node = parent.create_group(name)
    node.attrs["MATLAB_class"] = np.bytes_(class_of(v))
    node.attrs["MATLAB_sparse"] = np.uint64(v.shape[0])
    node.create_dataset("jc", data=m.indptr.astype(np.uint64))
    if m.nnz:
        node.create_dataset("ir", data=m.indices.astype(np.uint64))
        node.create_dataset("data", data=_storable_array(m.data))
    return node
