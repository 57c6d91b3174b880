"""MAT-files with objects of MATLAB's classes, laid out as MATLAB does."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

_INT8, _UINT8, _UINT16, _INT32, _UINT32, _DOUBLE, _UINT64 = 1, 2, 4, 5, 6, 9, 13
_KINDS = {_UINT8: ("B", 9), _UINT32: ("I", 13), _DOUBLE: ("d", 6), _UINT64: ("Q", 15)}


def _element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def _matrix(kind: int, name: str, shape: Sequence[int], *parts: bytes, flags: int = 0) -> bytes:
    head = _element(_UINT32, struct.pack("<II", kind | flags, 0))
    size = _element(_INT32, struct.pack(f"<{len(shape)}i", *shape))
    return _element(14, head + size + _element(_INT8, name.encode()) + b"".join(parts))


def numbers(kind: int, values: Sequence[float], shape: Sequence[int] = (), name: str = "") -> bytes:
    """An array of numbers of a type on disk; a row unless its shape is given."""
    code, number = _KINDS[kind]
    data = struct.pack(f"<{len(values)}{code}", *values)
    return _matrix(number, name, shape or (1, len(values)), _element(kind, data))


def doubles(*values: float, shape: Sequence[int] = ()) -> bytes:
    """A row of doubles, or an array of another shape."""
    return numbers(_DOUBLE, values, shape)


def codes(*values: int) -> bytes:
    """A column of small whole numbers."""
    return numbers(_UINT8, values, (len(values), 1))


def chars(text: str) -> bytes:
    """A row of characters."""
    return _matrix(4, "", (1, len(text)), _element(_UINT16, text.encode("utf-16-le")))


def cell(*items: bytes, shape: Sequence[int] = ()) -> bytes:
    """A row cell, or one of another shape."""
    return _matrix(1, "", shape or (1, len(items)), *items)


def fields(**values: bytes) -> bytes:
    """A struct."""
    names = b"".join(name.encode().ljust(32, b"\0") for name in values)
    length = _element(_INT32, struct.pack("<i", 32))
    return _matrix(2, "", (1, 1), length, _element(_INT8, names), *values.values())


def text_numbers(texts: Sequence[str | None], shape: Sequence[int]) -> bytes:
    """The numbers that a string array is kept as."""
    letters = "".join(text or "" for text in texts).encode("utf-16-le")
    words = struct.unpack(f"<{-(-len(letters) // 8)}Q", letters + bytes(-len(letters) % 8))
    lengths = [2**64 - 1 if t is None else len(t.encode("utf-16-le")) // 2 for t in texts]
    return numbers(_UINT64, (1, len(shape), *shape, *lengths, *words))


@dataclass
class MatFile:
    """A file under construction."""

    names: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    objects: list[tuple[int, bool, list[tuple[int, int, int]]]] = field(default_factory=list)
    values: list[bytes] = field(default_factory=list)
    variables: list[bytes] = field(default_factory=list)

    def _name(self, text: str) -> int:
        if text not in self.names:
            self.names.append(text)
        return self.names.index(text) + 1

    def object(self, kind: str, first: bool = False, **properties: bytes | bool) -> bytes:
        """A reference to a new object; ``first``: its properties are in the first list."""
        if kind not in self.classes:
            self.classes.append(kind)
        block = []
        for name, value in properties.items():
            if isinstance(value, bool):
                block.append((self._name(name), 2, int(value)))
            else:
                block.append((self._name(name), 1, len(self.values)))
                self.values.append(value)
        number = self.classes.index(kind) + 1
        self.objects.append((number, first, block))
        return numbers(_UINT32, (0xDD000000, 2, 1, 1, len(self.objects), number), (6, 1))

    def variable(self, name: str, kind: str, reference: bytes) -> None:
        """A variable that is an object."""
        self.variables.append(_opaque(name, kind, reference))

    def plain(self, name: str, value: float) -> None:
        """A variable that is a number."""
        self.variables.append(numbers(_DOUBLE, (value,), name=name))

    def write(self, path: Path) -> None:
        """Write the file."""
        body = b"".join(self.variables)
        wrapper = cell(numbers(_UINT8, self._table()), doubles(shape=(0, 0)), *self.values)
        held = fields(MCOS=_opaque("", "FileWrapper__", wrapper))
        part = b"\0\1IM\0\0\0\0" + held
        tail = numbers(_UINT8, part)
        head = b"MATLAB 5.0 MAT-file".ljust(116) + struct.pack("<Q", 128 + len(body)) + b"\0\1IM"
        path.write_bytes(head + body + tail)

    def _table(self) -> bytes:
        kinds = [(0, self._name(kind), 0, 0) for kind in self.classes]
        lists: tuple[list[bytes], list[bytes]] = ([_block([])], [_block([])])
        owners = [(0,) * 6]
        for number, first, block in self.objects:
            lists[not first].append(_block(block))
            place = len(lists[not first]) - 1
            owners.append((number, 0, 0, *((place, 0) if first else (0, place)), 0))
        words = b"\0".join(name.encode() for name in self.names) + b"\0"
        words += bytes(-len(words) % 8)
        regions = [
            b"".join(struct.pack("<4I", *row) for row in ((0,) * 4, *kinds)),
            b"".join(lists[0]),
            b"".join(struct.pack("<6I", *row) for row in owners),
            b"".join(lists[1]),
            *(b"",) * 4,
        ]
        places, at = [], 40 + len(words)
        for region in regions:
            places.append(at)
            at += len(region)
        head = struct.pack("<II8I", 4, len(self.names), *places)
        return head + words + b"".join(regions)


def _block(properties: Sequence[tuple[int, int, int]]) -> bytes:
    data = struct.pack("<I", len(properties))
    data += b"".join(struct.pack("<3I", *row) for row in properties)
    return data + bytes(-len(data) % 8)


def _opaque(name: str, kind: str, held: bytes) -> bytes:
    head = _element(_UINT32, struct.pack("<II", 17, 0))
    words = b"".join(_element(_INT8, text.encode()) for text in (name, "MCOS", kind))
    return _element(14, head + words + held)
