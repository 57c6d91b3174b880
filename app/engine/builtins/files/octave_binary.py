"""Binary files of Octave's ``save -binary``: reading them."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from app import memory
from app.engine.builtins.files.octave_values import (
    cell_of,
    chars_of,
    check_handle_kind,
    diagonal,
    full,
    handle,
    permutation,
    range_of,
    readers_by_type,
    refusal,
    rows_of_chars,
    sparse,
    structs_of,
)
from app.engine.values import Array, Struct, Value

_MAGIC = {b"Octave-1-L": "<", b"Octave-1-B": ">"}
_STORED = ("u1", "u2", "u4", "i1", "i2", "i4", "f4", "f8", "u8", "i8")
_OLD_TYPES = ("", "scalar", "matrix", "complex scalar", "complex matrix", "string", "range")
_DAMAGE = (struct.error, ValueError, IndexError, KeyError, UnicodeDecodeError, OverflowError)


def read_octave_binary(data: bytes, what: str, names: Callable[[str], bool]) -> dict[str, Value]:
    """The variables of a file whose names ``names`` accepts; errors call the file ``what``."""
    reader = _Reader(data, _MAGIC[data[:10]])
    found: dict[str, Value] = {}
    try:
        while reader.at < len(data):
            name, value = reader.variable()
            if names(name):
                found[name] = value
    except _DAMAGE as problem:
        raise refusal(what, f"the file is damaged: {problem}") from problem
    return found


class _Reader:
    """Goes through the bytes of a file."""

    def __init__(self, data: bytes, order: str) -> None:
        self.data, self.order, self.at = data, order, 11
        self.readers = readers_by_type(self)

    def number(self, code: str = "i") -> int:
        """One integer: ``i`` of four bytes, ``B`` of one."""
        (found,) = struct.unpack_from(f"{self.order}{code}", self.data, self.at)
        self.at += struct.calcsize(f"={code}")
        return int(found)

    def bytes(self, count: int) -> bytes:
        """So many bytes."""
        if count < 0 or self.at + count > len(self.data):
            raise ValueError("a length is wrong")
        found = self.data[self.at : self.at + count]
        self.at += count
        return found

    def array(self, count: int, kind: str) -> Array:
        """So many numbers as they are stored."""
        dtype = np.dtype(f"{self.order}{kind}")
        found = np.frombuffer(self.bytes(count * dtype.itemsize), dtype)
        return found.astype(dtype.newbyteorder("="))

    def floats(self, count: int) -> Array:
        """So many doubles, which may be stored as smaller numbers."""
        return self.array(count, _STORED[self.number("B")]).astype(np.float64)

    def shape(self) -> tuple[int, ...]:
        """The size that comes now."""
        first = self.number()
        if first >= 0:
            return first, self.number()
        found = tuple(self.number() for _ in range(-first))
        return (1, *found) if len(found) == 1 else found

    def count(self, shape: tuple[int, ...]) -> int:
        """How many elements a size has; the file must have room for so many."""
        if min(shape, default=0) < 0:
            raise ValueError("a size is negative")
        count = int(np.prod(shape, dtype=object)) if shape else 0
        memory.require(count, f"{count} elements of a file")
        return count

    def variable(self) -> tuple[str, Value]:
        """A name and its value."""
        name = self.bytes(self.number()).decode("utf-8")
        self.bytes(self.number())  # what it is for: a text that is always empty
        self.number("B")  # whether it is global
        kind = self.number("B")
        word = self.bytes(self.number()).decode() if kind == 255 else _OLD_TYPES[kind]
        return name, self.value(word)

    def value(self, kind: str) -> Value:
        """A value of a type."""
        plain = kind.removeprefix("float ")
        read = self.readers.get(plain)
        if read is not None:
            return read(plain)
        if plain.endswith(("scalar", "matrix")):
            return self.numbers(plain, single=plain != kind)
        raise ValueError(f"values of type '{kind}' cannot be read")

    def numbers(self, kind: str, *, single: bool) -> Value:
        """Numbers of a class, one or many."""
        shape = (1, 1) if kind.endswith("scalar") else self.shape()
        count, word = self.count(shape), kind.split(maxsplit=1)[0]
        if word.lstrip("u").startswith("int"):
            found = self.array(count, np.dtype(word).str[1:])
        elif word == "complex":
            found = self.floats(2 * count).view(np.complex128)
        else:
            found = self.floats(count)
        if single:
            found = found.astype(np.complex64 if word == "complex" else np.float32)
        return full(found.reshape(shape, order="F"))

    def string(self, kind: str) -> Value:
        """Characters: rows one after the other in files of old versions."""
        count = self.number()
        if count < 0:
            shape = tuple(self.number() for _ in range(-count))
            return chars_of(self.bytes(self.count(shape)).decode("latin-1"), shape)
        return rows_of_chars([self.bytes(self.number()).decode("latin-1") for _ in range(count)])

    def cell(self, kind: str) -> Value:
        """A cell of values with names that do not matter."""
        shape = self.shape()
        return cell_of([self.variable()[1] for _ in range(self.count(shape))], shape)

    def struct(self, kind: str) -> Value:
        """A struct, or an array of them whose fields are cells."""
        first = self.number()
        shape: tuple[int, ...] = (1, 1)
        if first < 0:
            shape = tuple(self.number() for _ in range(-first))
            first = self.number()
        fields = dict(self.variable() for _ in range(first))
        return Struct(fields) if kind == "scalar struct" else structs_of(fields, shape)

    def sparse(self, kind: str) -> Value:
        """A sparse matrix by columns."""
        self.number()  # minus two: the number of dimensions
        rows, columns, count = self.number(), self.number(), self.number()
        starts = self.array(self.count((columns + 1,)), "i4")
        places = self.array(self.count((count,)), "i4")
        numbers: Array
        if "bool" in kind:
            numbers = self.array(count, "u1") != 0
        else:
            both = "complex" in kind
            numbers = self.floats(count * (1 + both))
            numbers = numbers.view(np.complex128) if both else numbers
        counts = np.diff(starts)
        if (counts < 0).any() or counts.sum() != count:
            raise ValueError("columns of a sparse matrix are wrong")
        within = np.repeat(np.arange(columns), counts)
        return sparse(numbers, places, within, (rows, columns))

    def logical(self, kind: str) -> Value:
        """Truth values."""
        shape = (1, 1) if kind == "bool" else self.shape()
        return full((self.array(self.count(shape), "u1") != 0).reshape(shape, order="F"))

    def steps(self, kind: str) -> Value:
        """A range by its base, limit and step."""
        base, limit, step = self.floats(3).tolist()
        return range_of(base, limit, step)

    def diagonal(self, kind: str) -> Value:
        """A diagonal matrix by its diagonal."""
        rows, columns = self.number(), self.number()
        both = kind.startswith("complex")
        numbers = self.floats(self.count((min(rows, columns),)) * (1 + both))
        return diagonal(numbers.view(np.complex128) if both else numbers, (rows, columns))

    def permutation(self, kind: str) -> Value:
        """A permutation matrix by the order of its columns or rows."""
        size = self.number()
        by_columns = bool(self.number("B"))
        order = self.array(self.count((size,)), "i8")
        return permutation(order, by_rows=not by_columns)

    def function(self, kind: str) -> Value:
        """A handle: ``sin@<simple>``, or ``@<anonymous> 2`` with two variables behind its text."""
        first = self.bytes(self.number()).decode("utf-8").split("\n")[0]
        name, _, rest = first.partition("@<")
        subtype, _, count = rest.partition(">")
        check_handle_kind(subtype)
        if name:
            return handle(name, {})
        text = self.bytes(self.number()).decode("utf-8")
        return handle(text, dict(self.variable() for _ in range(int(count or 0))))
