"""MAT-files of version 7.3, which are HDF5 files: arrays transposed, classes as attributes."""

from __future__ import annotations

from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from app.engine.values import (
    Cell,
    CharArray,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    class_of,
    object_array,
    size_of,
    unwrap,
)

_REFS = "#refs#"
_numbers = count()


# --- writing ----------------------------------------------------------------------------------


def write_hdf(path: Path, variables: dict[str, Value]) -> None:
    """Write the variables as a file of version 7.3."""
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in variables.items():
            _put(file, file, name, value)
    stamp = datetime.now().astimezone().strftime("%a %b %d %H:%M:%S %Y")
    text = f"MATLAB 7.3 MAT-file, Platform: Fuselab, Created on: {stamp} HDF5 schema 1.00 ."
    with path.open("r+b") as raw:
        raw.write(text.encode().ljust(116) + bytes(8) + b"\x00\x02IM")


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
        node = parent.create_dataset(name, data=_plain(as_array(v)).T)
    node.attrs["MATLAB_class"] = np.bytes_(kind)
    if kind in ("char", "logical"):
        node.attrs["MATLAB_int_decode"] = np.int32(2 if kind == "char" else 1)
    return node


def _plain(a: Any) -> Any:
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

    if isinstance(v, StructArray) and 0 in v.shape:
        node = parent.create_dataset(name, data=np.array(v.shape, dtype=np.uint64))
        node.attrs["MATLAB_empty"] = np.uint8(1)
    else:
        node = parent.create_group(name)
        for field, value in v.fields.items():
            if isinstance(v, Struct):
                _put(file, node, field, value)
            else:
                items = list(value.ravel(order="F"))
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
        node.create_dataset("data", data=_plain(m.data))
    return node


# --- reading ----------------------------------------------------------------------------------


def read_hdf(path: Path, names: list[str] | None = None) -> dict[str, Value]:
    """The variables of a file of version 7.3 (or of any HDF5 file's top level)."""
    import h5py

    with h5py.File(path, "r") as file:
        wanted = [n for n in file if not n.startswith("#") and (names is None or n in names)]
        return {n: _get(file, file[n]) for n in wanted}


def hdf_names(path: Path) -> list[str]:
    """The names of a file's variables."""
    import h5py

    with h5py.File(path, "r") as file:
        return [n for n in file if not n.startswith("#")]


def _get(file: Any, node: Any) -> Value:
    kind = node.attrs.get("MATLAB_class", b"")
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if hasattr(node, "keys"):
        return _get_sparse(node, kind) if "MATLAB_sparse" in node.attrs else _get_group(file, node)
    if node.attrs.get("MATLAB_empty"):
        return _empty(node, kind, tuple(int(n) for n in node[()].ravel()))
    data = np.asarray(node[()])
    data = np.atleast_1d(data).T
    if data.ndim < 2:
        data = data.reshape(-1, 1)
    if kind == "cell" or data.dtype == object:
        items = [_get(file, file[ref]) for ref in data.ravel(order="F")]
        return Cell(object_array(items, data.shape))
    if kind == "char":
        return char_value(data.astype(np.uint32))
    if kind == "logical":
        return unwrap(data.astype(bool))
    return canonical(np.asfortranarray(_complex(data)))


def _complex(data: Any) -> Any:
    if data.dtype.names == ("real", "imag"):
        return data["real"] + 1j * data["imag"]
    return data


def _field_names(node: Any) -> list[str]:
    listed = node.attrs.get("MATLAB_fields")
    if listed is None:
        return list(node) if hasattr(node, "keys") else []
    return [b"".join(n.tolist()).decode() for n in listed]


def _empty(node: Any, kind: str, shape: tuple[int, ...]) -> Value:
    if kind == "cell":
        return Cell(np.empty(shape, dtype=object))
    if kind == "struct":
        names = _field_names(node)
        return StructArray({n: np.empty(shape, dtype=object) for n in names}, shape)
    if kind == "char":
        return char_value(np.zeros(shape, dtype=np.uint32))
    dtype = bool if kind == "logical" else np.dtype(kind or "double")
    return np.zeros(shape, dtype=dtype)


def _get_group(file: Any, node: Any) -> Value:
    names = _field_names(node)
    first = node[names[0]] if names else None
    if first is not None and _is_array_field(first):
        shape = first.shape[::-1]
        columns = {n: np.asarray(node[n][()]).T.ravel(order="F") for n in names}
        fields = {
            n: object_array([_get(file, file[r]) for r in c], shape) for n, c in columns.items()
        }
        return StructArray(fields, shape)
    return Struct({n: _get(file, node[n]) for n in names})


def _is_array_field(node: Any) -> bool:
    """Whether a struct's field is a list of references, one per element of a struct array."""
    plain = "MATLAB_class" not in node.attrs and not hasattr(node, "keys")
    return plain and node.dtype == object


def _get_sparse(node: Any, kind: str) -> Value:
    from scipy.sparse import csc_matrix

    pointers = node["jc"][()].astype(np.int64)
    filled = "ir" in node
    places = node["ir"][()].astype(np.int64) if filled else np.zeros(0, dtype=np.int64)
    data = _complex(node["data"][()]) if filled else np.zeros(0)
    if kind == "logical":
        data = data.astype(bool)
    shape = (int(node.attrs["MATLAB_sparse"]), pointers.size - 1)
    return SparseMatrix(csc_matrix((data, places, pointers), shape=shape))
