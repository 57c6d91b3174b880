"""Reading MAT-files of version 7.3, which are HDF5 files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app import memory
from app.engine.builtins.files.hdf_checks import check_node, opened_to_read
from app.engine.builtins.files.hdf_places import DamagedError
from app.engine.values import (
    CLASS_OF_DTYPE,
    EMPTY,
    Array,
    Cell,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    canonical,
    char_value,
    object_array,
    unwrap,
)

if TYPE_CHECKING:
    import h5py

_OF_ELEMENT = 64
"""Bytes of an element of a cell, at least: its reference, and what it becomes."""


def read_hdf(path: Path, names: list[str] | None = None) -> dict[str, Value]:
    """The variables of a file of version 7.3 (or of any HDF5 file's top level)."""
    with opened_to_read(path) as file:
        wanted = [n for n in file if not n.startswith("#") and (names is None or n in names)]
        reader = _Reader(file)
        return {n: reader.value(file[n]) for n in wanted}


def plain_value(data: Any) -> Value:
    """A data set or attribute as h5py reads it, with MATLAB's order of dimensions."""
    if isinstance(data, bytes | str):
        return data.decode() if isinstance(data, bytes) else data
    import h5py

    if isinstance(data, h5py.Empty):
        return EMPTY
    a = _complex(np.atleast_1d(np.asarray(data)))
    if a.dtype.names:
        return Struct({name: plain_value(a[name]) for name in a.dtype.names})
    a = a.T.reshape(-1, 1) if a.ndim < 2 else a.T
    if a.dtype.kind in "OS":
        held = [_held_value(item) for item in a.ravel(order="F")]
        if len(held) == 1 and isinstance(held[0], str):
            return held[0]
        return Cell(object_array(held, a.shape)) if held else ""
    return canonical(np.asfortranarray(_of_a_class(a)))


def _of_a_class(a: Any) -> Any:
    """Numbers that have a class; those of half precision are singles. Raises ValueError."""
    if a.dtype == np.float16:
        return a.astype(np.float32)
    if a.dtype.newbyteorder("=") not in CLASS_OF_DTYPE:
        raise ValueError(f"values of the type {a.dtype} have no class")
    return a


def _held_value(item: object) -> Value:
    """One element that the file holds elsewhere: a text, or a column of numbers."""
    if isinstance(item, bytes | str | np.ndarray):
        return plain_value(item)
    raise ValueError(f"values of the type {type(item).__name__} have no class")


def hdf_names(path: Path) -> list[str]:
    """The names of a file's variables."""
    with opened_to_read(path) as file:
        return [n for n in file if not n.startswith("#")]


class _Reader:
    """Reads nodes of a file, each that holds others once.

    References and links may lead to the same node from many places, and in a damaged file back to
    where they are, or to so many places that no program could go through them: each value that
    holds others takes a byte of a sound file at least.
    """

    def __init__(self, file: h5py.File) -> None:
        self._file = file
        self._left = int(file.id.get_filesize())
        self._known: dict[tuple[int, int], tuple[Value, int] | None] = {}

    def value(self, node: Any) -> Value:
        """What a node holds."""
        check_node(node)
        kind = node.attrs.get("MATLAB_class", b"")
        kind = kind.decode() if isinstance(kind, bytes) else str(kind)
        if hasattr(node, "keys"):
            if "MATLAB_sparse" in node.attrs:
                return _get_sparse(node, kind)
            return self._once(node, self._group)
        if node.attrs.get("MATLAB_empty"):
            return _empty(node, kind, tuple(int(n) for n in node[()].ravel()))
        if kind == "cell" or node.dtype == object:
            return self._once(node, self._cell)
        data = _array_of(node)
        if kind == "char":
            return char_value(data.astype(np.uint32))
        if kind == "logical":
            return unwrap(data.astype(bool))
        return canonical(np.asfortranarray(_of_a_class(_complex(data))))

    def _once(self, node: Any, read: Callable[[Any], Value]) -> Value:
        from h5py import h5o

        found = h5o.get_info(node.id)
        place, before = (found.fileno, found.addr), self._left
        if place in self._known:
            known = self._known[place]
            if known is None:  # it is being read: it holds itself
                raise DamagedError
            value, size = known
            self._take(size)
            return value
        self._known[place] = None
        self._take(1)
        value = read(node)
        self._known[place] = value, before - self._left
        return value

    def _take(self, count: int) -> None:
        """So many values more that hold others."""
        self._left -= count
        if self._left < 0:
            raise DamagedError

    def _cell(self, node: Any) -> Value:
        memory.require(float(node.size or 0) * _OF_ELEMENT, f"a cell of {node.size} elements")
        data = _array_of(node)
        return Cell(object_array(self._items(data.ravel(order="F")), data.shape))

    def _items(self, references: Array) -> list[Value]:
        return [self.value(self._file[reference]) for reference in references]

    def _group(self, node: Any) -> Value:
        names = _field_names(node)
        first = node[names[0]] if names else None
        if first is not None and _is_array_field(first):
            shape = first.shape[::-1]
            columns = {n: np.asarray(node[n][()]).T.ravel(order="F") for n in names}
            fields = {n: object_array(self._items(c), shape) for n, c in columns.items()}
            return StructArray(fields, shape)
        return Struct({n: self.value(node[n]) for n in names})


def _array_of(node: Any) -> Array:
    data = np.atleast_1d(np.asarray(node[()])).T
    return data.reshape(-1, 1) if data.ndim < 2 else data


def _complex(data: Any) -> Any:
    if data.dtype.names in {("real", "imag"), ("r", "i")}:
        real, imaginary = data.dtype.names
        return data[real] + 1j * data[imaginary]
    return data


def _field_names(node: Any) -> list[str]:
    listed = node.attrs.get("MATLAB_fields")
    if listed is None:
        return list(node) if hasattr(node, "keys") else []
    if not isinstance(listed, np.ndarray) or listed.dtype != object:
        raise DamagedError
    return [b"".join(n.tolist()).decode() for n in listed]


def _empty(node: Any, kind: str, shape: tuple[int, ...]) -> Value:
    """An array without elements, of a size; structs without fields may have any size."""
    if 0 not in shape and (kind != "struct" or _field_names(node)):
        raise DamagedError
    if kind == "cell":
        return Cell(np.empty(shape, dtype=object))
    if kind == "struct":
        names = _field_names(node)
        return StructArray({n: np.empty(shape, dtype=object) for n in names}, shape)
    if kind == "char":
        return char_value(np.zeros(shape, dtype=np.uint32))
    dtype = bool if kind == "logical" else np.dtype(kind or "double")
    return np.zeros(shape, dtype=dtype)


def _is_array_field(node: Any) -> bool:
    """Whether a struct's field is a list of references, one per element of a struct array."""
    plain = "MATLAB_class" not in node.attrs and not hasattr(node, "keys")
    return plain and node.dtype == object


def _get_sparse(node: Any, kind: str) -> Value:
    pointers = node["jc"][()].astype(np.int64)
    filled = "ir" in node
    places = node["ir"][()].astype(np.int64) if filled else np.zeros(0, dtype=np.int64)
    data = _of_a_class(_complex(node["data"][()])) if filled else np.zeros(0)
    if kind == "logical":
        data = data.astype(bool)
    shape = (int(node.attrs["MATLAB_sparse"]), pointers.size - 1)
    return SparseMatrix.of_file(data, places, pointers, shape)
