"""Reading MAT-files of level 5 (``-v6`` and ``-v7``); those of level 4 with SciPy."""

from __future__ import annotations

import math
import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from app import memory, paths
from app.engine.builtins.files.mat_classes import StoredObjects, is_reference, stored_objects
from app.engine.builtins.files.portable import handle_form
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    char_value,
    object_array,
    trim_shape,
    unwrap,
)
from app.errors import MatlabError

_TYPES = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
    16: "u1",
    17: "u2",
    18: "u4",
}
_CLASSES = {
    6: "f8",
    7: "f4",
    8: "i1",
    9: "u1",
    10: "i2",
    11: "u2",
    12: "i4",
    13: "u4",
    14: "i8",
    15: "u8",
}
_DAMAGE = (struct.error, zlib.error, KeyError, ValueError, IndexError)
_UTF8, _UTF16, _UTF32 = 16, 17, 18
_MATRIX, _COMPRESSED = 14, 15
_OBJECT = 18
"""Class of what only the program that wrote it can read."""


def read_level5(path: Path, names: list[str] | None = None) -> dict[str, Value]:
    """The variables of a file by name; only those of ``names`` when given."""
    data = paths.content(path)
    if not data.startswith(b"MATLAB"):
        return _read_level4(path, names)
    return variables_of(data, f"MAT-file {path}", names)


def variables_of(data: bytes, what: str, names: list[str] | None = None) -> dict[str, Value]:
    """The variables in the bytes of a file, which errors call ``what``."""
    try:
        order = "<" if data[126:128] == b"IM" else ">"
        found = {}
        objects = _objects(data, order)
        for body in _variables(data, order):
            reader = _Reader(body, order, objects)
            name, value = reader.matrix(names)
            if name and value is not None:  # what objects refer to has no name
                found[name] = value
    except _DAMAGE as problem:
        raise _corrupt(what, problem) from problem
    return found


def _objects(data: bytes, order: str) -> StoredObjects | None:
    """What the variables of classes consist of: the header says where that lies.

    None without, and where it is not of the form that is known: then the other variables are read.
    """
    place = struct.unpack_from(f"{order}Q", data, 116)[0]
    if not 128 <= place < len(data):
        return None
    try:
        body = next(_variables(data[:128] + data[place:], order))
        part = as_array(_Reader(body, order).matrix()[1]).astype(np.uint8).tobytes()
        told = _Reader(part[16:], order).matrix()[1]
    except (*_DAMAGE, StopIteration):
        return None
    content = told.fields.get("MCOS") if isinstance(told, Struct) else None
    return stored_objects(content, order) if isinstance(content, Cell) else None


def variable_names(path: Path) -> list[str]:
    """The names of a file's variables; their values are not made."""
    data = paths.content(path)
    if not data.startswith(b"MATLAB"):
        import scipy.io

        with _level4(path):
            return _level4_names([name for name, _, _ in scipy.io.whosmat(str(path))])
    try:
        order = "<" if data[126:128] == b"IM" else ">"
        names = [_Reader(body, order).matrix([])[0] for body in _variables(data, order)]
    except _DAMAGE as problem:
        raise _corrupt(f"MAT-file {path}", problem) from problem
    return [name for name in names if name]


def _corrupt(what: str, problem: Exception) -> MatlabError:
    text = f"Unable to read {what}. File might be corrupt. ({problem})"
    return MatlabError("MATLAB:load:unableToReadMatFile", text)


@contextmanager
def _level4(path: Path) -> Iterator[None]:
    """While SciPy reads a file of level 4: what it cannot do, or warns of, is an error of ours."""
    import scipy.io

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # numbers of a VAX or a Cray
            if scipy.io.matlab.matfile_version(str(path))[0]:
                raise ValueError("it does not begin as a MAT-file of any version")
            yield
    except (*_DAMAGE, OSError, TypeError, UserWarning, scipy.io.matlab.MatReadError) as problem:
        raise _corrupt(f"MAT-file {path}", problem) from problem


def _read_level4(path: Path, names: list[str] | None) -> dict[str, Value]:
    import scipy.io

    with _level4(path):
        found = scipy.io.loadmat(str(path), variable_names=names, chars_as_strings=False)
        wanted = _level4_names([name for name in found if not name.startswith("__")])
        return {name: _level4_value(found[name]) for name in wanted}


def _level4_names(names: list[str]) -> list[str]:
    """The names of a file's variables; ValueError where one has none."""
    if not all(names):
        raise ValueError("a variable has no name")
    return names


def _level4_value(v: Any) -> Value:
    if hasattr(v, "tocsc"):
        return SparseMatrix.of(v.tocsc())
    if v.dtype.kind == "U":
        return char_value(np.ascontiguousarray(v).view(np.uint32).reshape(v.shape))
    wide = v.dtype if v.dtype.kind == "c" else np.float64
    return canonical(v.astype(wide))


def _variables(data: bytes, order: str) -> Iterator[bytes]:
    """The body of every variable's matrix element."""
    position = 128
    while position + 8 <= len(data):
        kind, size = struct.unpack_from(f"{order}II", data, position)
        body = data[position + 8 : position + 8 + size]
        if len(body) < size:
            raise ValueError("it is cut short")
        position += 8 + (size if kind == _COMPRESSED else _extent(body, order))
        if kind == _COMPRESSED:
            unpacked = _decompressed_element(body)
            kind, size = struct.unpack_from(f"{order}II", unpacked, 0)
            body = unpacked[8 : 8 + size]
        if kind == _MATRIX:
            yield body
    # The last element need not be filled up to whole words.
    if not 0 <= position - len(data) < 8 or len(data) < 128:
        raise ValueError("it is cut short")


def _decompressed_element(body: bytes) -> bytes:
    """What a compressed element holds; its size, which the data say first, has to fit."""
    stream = zlib.decompressobj()
    first = stream.decompress(body, 8)
    size = struct.unpack("<II", first)[1] if len(first) == 8 else 0
    memory.require(size, "a variable of the file")
    rest = stream.decompress(stream.unconsumed_tail, size + 8)
    if not stream.eof and stream.decompress(stream.unconsumed_tail, 1):
        raise ValueError("a variable is longer than it says")
    if not stream.eof:
        raise ValueError("it is cut short")
    return first + rest


def _extent(body: bytes, order: str) -> int:
    """Bytes a matrix takes in the file, padding included.

    Octave counts short texts as if they were stored long, so sizes that are no multiple of eight
    are found by walking the parts.
    """
    if len(body) % 8 == 0:
        return len(body)
    reader = _Reader(body, order)
    while reader.at + 8 <= len(body):
        reader.element()
    return reader.at


class _Reader:
    """Elements of one matrix, in turn."""

    def __init__(self, data: bytes, order: str, objects: StoredObjects | None = None) -> None:
        self.data = data
        self.order = order
        self.objects = objects
        self.at = 0

    def element(self) -> tuple[int, bytes]:
        """Type and bytes of the next element, long or small."""
        first, size = struct.unpack_from(f"{self.order}II", self.data, self.at)
        if first >> 16:
            kind, size = first & 0xFFFF, first >> 16
            body = self.data[self.at + 4 : self.at + 4 + size]
            self.at += 8
            return kind, body
        body = self.data[self.at + 8 : self.at + 8 + size]
        self.at += 8 + size + -size % 8
        return first, body

    def next_type(self) -> int:
        """The type of the next element."""
        return int(struct.unpack_from(f"{self.order}I", self.data, self.at)[0] & 0xFFFF)

    def numbers(self) -> Array:
        """The next element as numbers of its type on disk."""
        kind, body = self.element()
        if not body:
            return np.zeros(0)
        found = np.frombuffer(body, dtype=np.dtype(self.order + _TYPES[kind]))
        return found.astype(found.dtype.newbyteorder("="), copy=False)

    def matrix(self, names: list[str] | None = None) -> tuple[str, Value]:
        """Name and value of a matrix; None as value when its name is not wanted."""
        if not self.data:
            return "", np.zeros((0, 0))
        flags = int(self.numbers()[0])
        kind = flags & 0xFF
        if kind == 17:
            name = self.element()[1].decode()
            return name, None if names is not None and name not in names else self.object()
        shape = tuple(int(n) for n in self.numbers())
        if any(n < 0 for n in shape):
            raise ValueError(f"an array of {shape[0]} by {shape[-1]} elements")
        name = self.element()[1].decode("latin-1")
        if names is not None and name not in names:
            return name, None
        return name, self.body(kind, flags, shape)

    def inner(self) -> Value:
        """The next element, which is a matrix itself."""
        _, body = self.element()
        return _Reader(body, self.order, self.objects).matrix()[1]

    def object(self) -> Value:
        """What an object stands for; of the nameless part its content."""
        _, class_name = self.element(), self.element()[1].decode()
        held = self.inner()
        if class_name == "FileWrapper__":
            return held
        made = self.objects.form_of(as_array(held)) if self.objects and is_reference(held) else None
        return _opaque() if made is None else made

    def body(self, kind: int, flags: int, shape: tuple[int, ...]) -> Value:
        """What follows the name, by class."""
        if kind == 1:
            items = [self.inner() for _ in range(math.prod(shape))]
            return Cell(object_array(items, trim_shape(shape)))
        if kind in (2, 3):
            if kind == 3:
                self.element()
            return self.structs(trim_shape(shape))
        if kind == 4:
            return self.chars(shape)
        if kind == 5 or (kind == 9 and flags & 0x0200 and self.next_type() == 5):
            return self.sparse(flags, shape)  # Octave says uint8 of its sparse logicals
        if kind == 16:
            return self.handle()
        if kind == _OBJECT:
            return _opaque()
        if kind not in _CLASSES:
            raise ValueError(f"there is no class {kind}")
        a = self.parts(flags).astype(self.kind(kind, flags), copy=False)
        if flags & 0x0200:
            return unwrap(a.astype(bool).reshape(shape, order="F"))
        return canonical(a.reshape(shape, order="F"))

    def kind(self, kind: int, flags: int) -> np.dtype[Any]:
        """Element type in memory."""
        plain = np.dtype(_CLASSES[kind])
        if not flags & 0x0800:
            return plain
        return np.dtype(np.complex64 if kind == 7 else np.complex128)

    def parts(self, flags: int) -> Array:
        """Real numbers, or complex ones from their two parts."""
        a = self.numbers()
        return a + 1j * self.numbers() if flags & 0x0800 else a

    def structs(self, shape: tuple[int, ...]) -> Value:
        """A struct or an array of them."""
        length, table = int(self.numbers()[0]), self.element()[1]
        if length < 1 and table:
            raise ValueError(f"names of fields have {length} letters")
        starts = range(0, len(table), max(length, 1))
        names = [table[k : k + length].split(b"\0")[0].decode() for k in starts]
        if not names:  # nothing follows, however many there are
            return Struct({}) if shape == (1, 1) else StructArray({}, shape)
        rows = [[self.inner() for _ in names] for _ in range(math.prod(shape))]
        if shape == (1, 1):
            return Struct(dict(zip(names, rows[0], strict=True)))
        columns = {n: object_array([r[k] for r in rows], shape) for k, n in enumerate(names)}
        return StructArray(columns, shape)

    def chars(self, shape: tuple[int, ...]) -> Value:
        """Text of any of the encodings in use."""
        kind, body = self.element()
        if not body:  # of no size, whatever is said of it
            empty = shape if math.prod(shape) == 0 else (0, 0)
            return char_value(np.zeros(empty, dtype=np.uint32))
        codec = {_UTF8: "utf-8", _UTF32: "utf-32", _UTF16: "utf-16", 4: "utf-16"}.get(kind)
        if codec is None:
            codes = np.frombuffer(body, dtype=_TYPES[kind]).astype(np.uint32)
        else:
            end = "" if codec == "utf-8" else "-le" if self.order == "<" else "-be"
            text = body.decode(codec + end, "replace")
            codes = np.array([ord(c) for c in text], dtype=np.uint32)
        if codes.size != math.prod(shape):
            shape = (1, codes.size)
        return char_value(codes.reshape(shape, order="F"))

    def handle(self) -> Value:
        """A function handle as MATLAB writes it; what an anonymous function took along lies where
        only MATLAB finds it."""
        held = self.inner()
        told = held.fields.get("function_handle") if isinstance(held, Struct) else None
        text = told.fields.get("function") if isinstance(told, Struct) else None
        return handle_form(re.sub(r"^sf%\d+", "", text), {}) if isinstance(text, str) else _opaque()

    def sparse(self, flags: int, shape: tuple[int, ...]) -> Value:
        """A sparse matrix."""
        rows, starts = self.numbers().astype(np.int32), self.numbers().astype(np.int32)
        data = self.parts(flags)
        count = int(starts[-1])
        kind = bool if flags & 0x0200 else np.complex128 if flags & 0x0800 else np.float64
        data = data[:count].astype(kind)
        return SparseMatrix.of_file(data, rows[:count], starts, shape)


def _opaque() -> Value:
    """What stands for an object whose class only its own program knows."""
    return Struct({"FuselabUnreadable": True})
