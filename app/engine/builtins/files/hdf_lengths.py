"""How long the values of variable length in an HDF5 file say they are.

The library makes room for each before it looks whether the file holds as much, and tells no length
that it has not made room for: what stands in the file is read here. Not looked at are values
behind other filters than those that `_plain` undoes, those that stand for elements that were never
written, and attributes of a node that has so many that they lie elsewhere.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from app.engine.builtins.files.hdf_places import DamagedError, is_data

if TYPE_CHECKING:
    from h5py.h5a import AttrID
    from h5py.h5d import DatasetID
    from h5py.h5t import TypeID

_LENGTH, _NUMBER = 4, 4
"""The bytes of a length; and of a number in a heap, whose place stands between them."""
_HEAP_HEAD, _ENTRY = 16, struct.Struct("<HH4xQ")
_NEAR = 1 << 16
"""How much of a file behind the head of a node is looked at."""
_ATTRIBUTES = (
    *((1, struct.Struct("<BxHHH"), 8), (2, struct.Struct("<BxHHH"), 1)),
    (3, struct.Struct("<BxHHHx"), 1),
)
"""Before the name of an attribute: its version, the lengths of name, type and dimensions; and of
how many bytes each of these takes a multiple."""
_COMPACT, _COMPACT_VERSIONS, _IN_HEAD = struct.Struct("<BBH"), (3, 4), 0
"""Before values in the head of a node: a version, which place it is, how many bytes."""


def check_lengths(held: DatasetID | AttrID) -> None:
    """Raise OSError where a value of a data set or an attribute is longer than its file."""
    from h5py import h5f

    place = Path(os.fsdecode(h5f.get_name(held)))
    kind = held.get_type()
    with place.open("rb") as file:
        stored = Stored(held, file)
        if next(stored.parts(kind), None) is not None:
            for values in stored.of_data() if is_data(held) else stored.of_attribute():
                stored.check(values, kind)


class Stored:
    """What a file says of a data set or an attribute.

    Args:
        held: the data set or attribute.
        file: its file.
    """

    def __init__(self, held: DatasetID | AttrID, file: BinaryIO) -> None:
        from h5py import h5i

        self.held, self.file = held, file
        made = h5i.get_file_id(held).get_create_plist()
        self._begin, self._place = int(made.get_userblock()), int(made.get_sizes()[0])
        self._told = _LENGTH + self._place + _NUMBER
        self._most = os.fstat(file.fileno()).st_size

    def size(self, kind: TypeID) -> int:
        """The bytes that a value of a type takes in the file, where it is held elsewhere if its
        length varies."""
        from h5py import h5t

        if _base(kind) is not None:
            return self._told
        if kind.get_class() == h5t.ARRAY:
            return prod(map(int, kind.get_array_dims())) * self.size(kind.get_super())
        members = (m for m, _ in _members(kind))
        return int(kind.get_size()) + sum(self.size(m) - int(m.get_size()) for m in members)

    def parts(self, kind: TypeID) -> Iterator[tuple[int, TypeID]]:
        """Where in a value of a type others of variable length are said to be, and of which type
        their elements are."""
        from h5py import h5t

        base, more = _base(kind), 0
        if base is not None:
            yield 0, base
        elif kind.get_class() == h5t.ARRAY:
            inner = kind.get_super()
            for k in range(prod(kind.get_array_dims())):
                yield from ((k * self.size(inner) + at, b) for at, b in self.parts(inner))
        for member, begin in _members(kind):
            yield from ((begin + more + at, b) for at, b in self.parts(member))
            more += self.size(member) - member.get_size()

    def check(self, values: bytes, kind: TypeID) -> None:
        """Raise OSError where one of some values of a type, or of what they hold, is too long."""
        size = self.size(kind)
        table = np.frombuffer(values, np.uint8, len(values) // size * size).reshape(-1, size)
        for at, base in self.parts(kind):
            unit = self.size(base)
            lengths = table[:, at : at + _LENGTH].copy().view("<u4").ravel()
            if lengths.size and int(lengths.max()) * unit > self._most:
                raise DamagedError
            if next(self.parts(base), None) is not None:
                for told in table[:, at : at + self._told]:
                    self.check(self._of_heap(told.tobytes()), base)

    def _of_heap(self, told: bytes) -> bytes:
        """A value that lies in a heap, by its length, its place and its number there; empty where
        none is: the library says so."""
        end = _LENGTH + self._place
        place, number = (
            int.from_bytes(told[a:b], "little") for a, b in ((_LENGTH, end), (end, end + _NUMBER))
        )
        at = self._begin + place + _HEAP_HEAD
        while at + _ENTRY.size <= self._most:
            found, _, size = _ENTRY.unpack(self._read(at, _ENTRY.size))
            at += _ENTRY.size
            if found in {0, number}:
                return self._read(at, min(size, self._most)) if found else b""
            at += -(-size // 8) * 8
        return b""

    def of_data(self) -> Iterator[bytes]:
        """The values of a data set, in parts."""
        from h5py import h5d

        made, data = self.held.get_create_plist(), self.held
        if made.get_layout() == h5d.CHUNKED:
            chunks: list[h5d.StoreInfo] = []
            data.chunk_iter(chunks.append)
            codes = [made.get_filter(k)[0] for k in range(made.get_nfilters())]
            size = self.size(data.get_type())
            for chunk in chunks:
                packed = self._read(chunk.byte_offset, chunk.size)
                kept = [code for k, code in enumerate(codes) if not chunk.filter_mask >> k & 1]
                yield _plain(packed, kept, size, prod(made.get_chunk()))
        elif made.get_layout() == h5d.COMPACT:
            size = data.get_storage_size()
            for version in _COMPACT_VERSIONS:
                yield from self._behind(_COMPACT.pack(version, _IN_HEAD, size), size)
        elif data.get_offset() is not None:
            yield self._read(data.get_offset(), data.get_storage_size())

    def of_attribute(self) -> Iterator[bytes]:
        """The values of an attribute: what may be them, where its name is found."""
        name, size = self.held.name, self.size(self.held.get_type())
        name = (name.encode() if isinstance(name, str) else name) + b"\0"
        lengths = b"".join(n.to_bytes(8, "little") for n in self.held.shape)
        at = self._near.find(name)
        while at >= 0:
            for begin in self._behind_attribute(at, len(name), lengths):
                yield self._near[begin : begin + prod(self.held.shape) * size]
            at = self._near.find(name, at + 1)

    def _behind_attribute(self, at: int, length: int, lengths: bytes) -> Iterator[int]:
        """Where the values of an attribute begin whose name of a length is at a place, if it has
        these lengths of dimensions."""
        for version, head, multiple in _ATTRIBUTES:
            if at < head.size:
                continue
            said, *sizes = head.unpack_from(self._near, at - head.size)
            named, typed, spaced = (-(-n // multiple) * multiple for n in sizes)
            begin = at + named + typed
            if (said, sizes[0]) == (version, length) and lengths in self._near[
                begin : begin + spaced
            ]:
                yield begin + spaced

    def _behind(self, mark: bytes, size: int) -> Iterator[bytes]:
        """What stands behind a mark near the head of the node."""
        at = self._near.find(mark)
        while at >= 0:
            yield self._near[at + len(mark) : at + len(mark) + size]
            at = self._near.find(mark, at + 1)

    @cached_property
    def _near(self) -> bytes:
        """What stands behind the head of the node."""
        from h5py import h5o

        return self._read(self._begin + h5o.get_info(self.held).addr, _NEAR)

    def _read(self, at: int, size: int) -> bytes:
        self.file.seek(at)
        return self.file.read(size)


def _base(kind: TypeID) -> TypeID | None:
    """The type of the elements of a type of variable length; None for any other type."""
    from h5py import h5t

    varies = isinstance(kind, h5t.TypeStringID) and kind.is_variable_str()
    return kind.get_super() if varies or kind.get_class() == h5t.VLEN else None


def _members(kind: TypeID) -> list[tuple[TypeID, int]]:
    """The types of the members of a compound, and where they begin, in that order."""
    from h5py import h5t

    if kind.get_class() != h5t.COMPOUND:
        return []
    members = range(kind.get_nmembers())
    found = [(kind.get_member_type(k), kind.get_member_offset(k)) for k in members]
    return sorted(found, key=lambda member: member[1])


def _plain(packed: bytes, codes: list[int], size: int, most: int) -> bytes:
    """A part of a data set, of at most so many elements of a size, before filters were put over it;
    empty where one of them is another than these, or it is damaged, as the library says itself."""
    from h5py import h5z

    for code in reversed(codes):
        if code == h5z.FILTER_DEFLATE:
            try:
                packed = zlib.decompressobj().decompress(packed, size * most)
            except zlib.error:
                return b""
        elif code == h5z.FILTER_SHUFFLE:
            whole = len(packed) // size * size
            packed = np.frombuffer(packed, np.uint8, whole).reshape(size, -1).T.tobytes()
        else:
            return b""
    return packed
