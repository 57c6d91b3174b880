"""What the footer of a Parquet file says of its stored columns, read here and not by pyarrow.

pyarrow's objects of a stored column and of its statistics end the process where C++ finds that a
damaged file contradicts itself, as nothing catches its exceptions there. What is wanted of them
is little: packing, encodings, size and the count of missing values. The least and the greatest
value, on which most contradictions are, are not looked at.

The footer is a record of Thrift's compact protocol: fields with a number and a type each. The
numbers are those of the format's definition (parquet.thrift).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TAIL = 8
"""Bytes behind the footer: its length and a mark."""
_MARK = b"PAR1"
_DEEPEST = 32
"""Records within records; the format has six."""
_COMPRESSIONS = ("uncompressed", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4")
_ENCODINGS = {
    0: "plain",
    2: "plain_dictionary",
    3: "rle",
    4: "bit_packed",
    5: "delta_binary_packed",
    6: "delta_length_byte_array",
    7: "delta_byte_array",
    8: "rle_dictionary",
    9: "byte_stream_split",
}
_STOP, _TRUE, _FALSE, _BYTE = 0, 1, 2, 3
_DOUBLE, _BINARY, _LIST, _SET, _MAP, _RECORD = 7, 8, 9, 10, 11, 12
_WHOLE = (4, 5, 6)


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column of one row group as the file has it.

    Attributes:
        compression: how it is packed, in lower case.
        encodings: how its values are written, in lower case.
        size: bytes when it is unpacked.
        missing: how many values are missing; None where the file does not say.
    """

    compression: str
    encodings: tuple[str, ...]
    size: int
    missing: int | None


def stored_columns(path: str) -> list[list[StoredColumn]]:
    """Of each row group of a file its stored columns.

    Raises:
        ValueError: this is no footer of a Parquet file, or one that is cut off.
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        file.seek(-_TAIL, os.SEEK_END)
        tail = file.read(_TAIL)
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != _MARK:
            raise ValueError("it does not end as a Parquet file")
        file.seek(-_TAIL - length, os.SEEK_END)
        data = file.read(length)
    try:
        footer = _Reader(data).record(_DEEPEST)
    except IndexError:
        raise ValueError("its footer is cut off") from None
    groups = (_record(group) for group in _list(footer.get(4)))
    return [[_column(_record(c)) for c in _list(group.get(1))] for group in groups]


def _column(chunk: dict[int, object]) -> StoredColumn:
    facts = _record(chunk.get(3))
    packed = _int(facts.get(4))
    if packed is None or not 0 <= packed < len(_COMPRESSIONS):
        raise ValueError(f"a column is packed in no known way ({packed})")
    encodings = tuple(_ENCODINGS.get(e, "unknown") for e in _list(facts.get(2)) if type(e) is int)
    missing = _int(_record(facts.get(12)).get(3))
    return StoredColumn(_COMPRESSIONS[packed], encodings, _int(facts.get(6)) or 0, missing)


def _record(value: object) -> dict[int, object]:
    """A field that is a record; one of another type counts as none, as in Thrift."""
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _int(value: object) -> int | None:
    return value if type(value) is int else None


class _Reader:
    """Values of Thrift's compact protocol, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def record(self, depth: int) -> dict[int, object]:
        """Values by the numbers of their fields."""
        return dict(self._fields(depth))

    def _fields(self, depth: int) -> Iterator[tuple[int, object]]:
        number = 0
        while (head := self._byte()) != _STOP:
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            yield number, kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> object:
        if not depth:
            raise ValueError("its footer is nested too deeply")
        if kind in _WHOLE:
            return self._whole()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _RECORD:
            return self.record(depth - 1)
        if kind in (_LIST, _SET):
            return self._items(depth - 1)
        if kind == _MAP:
            return self._pairs(depth - 1)
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind in (_TRUE, _FALSE, _BYTE):  # of a list or map: a byte
            return self._byte()
        raise ValueError(f"its footer has a value of no known type ({kind})")

    def _items(self, depth: int) -> list[object]:
        head = self._byte()
        count = self._unsigned() if head >> 4 == 15 else head >> 4
        return [self._value(head & 15, depth) for _ in range(count)]

    def _pairs(self, depth: int) -> list[object]:
        count = self._unsigned()
        kinds = self._byte() if count else 0
        return [
            (self._value(kinds >> 4, depth), self._value(kinds & 15, depth)) for _ in range(count)
        ]

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def _unsigned(self) -> int:
        made, shift = 0, 0
        while (part := self._byte()) & 128:
            made |= (part & 127) << shift
            shift += 7
        return made | part << shift

    def _whole(self) -> int:
        """A number with its sign in the last bit."""
        made = self._unsigned()
        return made >> 1 ^ -(made & 1)
