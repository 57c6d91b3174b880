"""The data elements of DICOM files, read and written: tags, kinds of values, sequences.

After the DICOM standard, parts 5 (encodings), 6 (the dictionary) and 10 (files).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from app import paths
from app.engine.builtins.vectors import column
from app.engine.values import Array, Struct, Value, as_array, canonical, is_text_scalar, text_of
from app.errors import MatlabError

IMPLICIT, EXPLICIT, DEFLATED, BIG_ENDIAN = (
    f"1.2.840.10008.1.2{end}" for end in ("", ".1", ".1.99", ".2")
)
PIXELS = 0x7FE00010
_LONG = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"}
"""Kinds whose length has four bytes."""
_NUMBERS = {
    "US": "u2",
    "SS": "i2",
    "UL": "u4",
    "SL": "i4",
    "UV": "u8",
    "SV": "i8",
    "FL": "f4",
    "FD": "f8",
    "OB": "u1",
    "OW": "u2",
    "OL": "u4",
    "OV": "u8",
    "OF": "f4",
    "OD": "f8",
    "UN": "u1",
    "AT": "u2",
}
_UNKNOWN_LENGTH = 0xFFFFFFFF
_ITEM, _ITEM_END, _SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD


class Element(NamedTuple):
    """One data element: its tag, its kind (VR), and its bytes or the items of its sequence."""

    tag: int
    kind: str
    data: bytes
    items: list[list[Element]]
    fragments: list[bytes]


@cache
def dictionary() -> dict[int, tuple[str, str]]:
    """The kind and the keyword of every tag of the standard."""
    made = {}
    for line in paths.resource("dicom_tags.txt").read_text(encoding="ascii").splitlines():
        tag, kind, name = line.split()
        made[int(tag, 16)] = (kind, name)
    return made


@cache
def tags() -> dict[str, int]:
    """The tag of every keyword."""
    return {name: tag for tag, (_, name) in dictionary().items()}


def keyword(tag: int) -> str:
    """The field that a tag means in the struct of a file."""
    known = dictionary().get(tag)
    if known is not None:
        return known[1]
    group, element = tag >> 16, tag & 0xFFFF
    if element == 0:
        return f"GroupLength_{group:04x}"
    return f"{'Private' if group % 2 else 'Unknown'}_{group:04x}_{element:04x}"


class Reader:
    """Elements of a run of bytes.

    Args:
        data: the bytes.
        order: ``<`` or ``>``.
        explicit: whether kinds are written beside the tags.
    """

    def __init__(self, data: bytes, order: str = "<", *, explicit: bool = True) -> None:
        self._data, self._order, self._explicit, self.at = data, order, explicit, 0

    def elements(self, end: int | None = None) -> Iterator[Element]:
        """Elements up to a place, or to the end of an item of unknown length."""
        while self.at < (len(self._data) if end is None else end):
            tag = self._tag()
            if tag in (_ITEM_END, _SEQUENCE_END):
                self._take(4)
                return
            yield self._element(tag)

    def _take(self, count: int) -> bytes:
        part = self._data[self.at : self.at + count]
        if len(part) < count:
            raise ValueError("it is cut off")
        self.at += count
        return part

    def _number(self, form: str) -> int:
        size = struct.calcsize(form)
        return int(struct.unpack(self._order + form, self._take(size))[0])

    def _tag(self) -> int:
        return self._number("H") << 16 | self._number("H")

    def _element(self, tag: int) -> Element:
        if self._explicit and tag >> 16 != 0xFFFE:
            kind = self._take(2).decode("latin-1")
            if kind in _LONG:
                self._take(2)
            size = self._number("I" if kind in _LONG else "H")
        else:
            kind = dictionary().get(tag, ("UN", ""))[0]
            size = self._number("I")
        if kind == "SQ" or (size == _UNKNOWN_LENGTH and tag != PIXELS):
            return Element(tag, "SQ", b"", self._items(size), [])
        if size == _UNKNOWN_LENGTH:
            return Element(tag, kind, b"", [], self._fragments())
        return Element(tag, kind, self._take(size), [], [])

    def _items(self, size: int) -> list[list[Element]]:
        end = None if size == _UNKNOWN_LENGTH else self.at + size
        made = []
        while end is None or self.at < end:
            tag, length = self._tag(), self._number("I")
            if tag != _ITEM:
                break
            until = None if length == _UNKNOWN_LENGTH else self.at + length
            made.append(list(self.elements(until)))
        return made

    def _fragments(self) -> list[bytes]:
        """The parts of compressed pixels, the table of their places first."""
        made = []
        while self._tag() == _ITEM:
            made.append(self._take(self._number("I")))
        self._take(4)
        return made


class File(NamedTuple):
    """What a file holds: its elements, how it is written, and the order of its bytes."""

    elements: list[Element]
    syntax: str
    order: str

    def value(self, name: str, otherwise: Value = None) -> Value:
        """The value of the element of a keyword, or another where there is none."""
        tag = tags()[name]
        found = next((e for e in self.elements if e.tag == tag), None)
        return otherwise if found is None or not found.data else value_of(found, self.order)

    def number(self, name: str, otherwise: int = 0) -> int:
        """The same as an integer."""
        return int(np.ravel(as_array(self.value(name, float(otherwise))))[0])


def parsed(data: bytes) -> File:
    """The elements of a file. Raises ValueError and the like where it is damaged."""
    if data[128:132] != b"DICM":
        if len(data) < 8 or data[1:2] != b"\0" or data[0] not in (2, 8):
            raise ValueError("it is no DICOM file")
        explicit = data[4:6].isalpha() and data[4:6].isupper()
        elements = list(Reader(data, explicit=explicit).elements())
        return File(elements, EXPLICIT if explicit else IMPLICIT, "<")
    reader = Reader(data[132:])
    meta: list[Element] = []
    while data[132 + reader.at : 134 + reader.at] == b"\x02\x00":
        meta.append(next(reader.elements()))
    syntax = File(meta, EXPLICIT, "<").value("TransferSyntaxUID", IMPLICIT)
    word = text_of(syntax)
    rest = data[132 + reader.at :]
    if word == DEFLATED:
        rest = zlib.decompress(rest, -15)
    order = ">" if word == BIG_ENDIAN else "<"
    body = Reader(rest, order, explicit=word != IMPLICIT)
    return File([*meta, *body.elements()], word, order)


def value_of(e: Element, order: str) -> Value:
    """An element's value: numbers as a column, names and sequences as structs, else a text."""
    if e.kind == "SQ":
        return Struct({f"Item_{k}": fields_of(item, order) for k, item in enumerate(e.items, 1)})
    if e.kind in _NUMBERS:
        width = int(_NUMBERS[e.kind][1])
        flat = np.frombuffer(e.data, order + _NUMBERS[e.kind], len(e.data) // width)
        found = flat.astype(flat.dtype.newbyteorder("="))
        return canonical(found.reshape(-1, 2) if e.kind == "AT" else found.reshape(-1, 1))
    try:
        text = e.data.decode("utf-8")
    except UnicodeDecodeError:
        text = e.data.decode("latin-1")
    text = text.rstrip(" \0")
    if e.kind in ("DS", "IS"):
        if not text.strip():
            return np.zeros((0, 0))
        return column(np.array([float(p) if p.strip() else np.nan for p in text.split("\\")]))
    if e.kind == "PN":
        names = ("FamilyName", "GivenName", "MiddleName", "NamePrefix", "NameSuffix")
        parts = text.split("=")[0].split("^")
        return Struct({n: p for n, p in zip(names, parts, strict=False) if p or n == names[0]})
    return text.lstrip(" ") if e.kind not in ("LT", "ST", "UT") else text


def fields_of(elements: list[Element], order: str) -> Struct:
    """Elements as the fields of a struct; pixels are left out."""
    return Struct({keyword(e.tag): value_of(e, order) for e in elements if e.tag != PIXELS})


def written(tag: int, kind: str, data: bytes) -> bytes:
    """An element with its kind beside the tag, in little-endian order."""
    data += (b"\0" if kind in ("UI", "OB", "UN") else b" ") * (len(data) % 2)
    head = struct.pack("<HH2s", tag >> 16, tag & 0xFFFF, kind.encode())
    long = kind in _LONG
    return head + struct.pack("<xxI" if long else "<H", len(data)) + data


def bytes_of(name: str, kind: str, v: Value) -> bytes:
    """The bytes of a value of a kind."""
    if kind == "SQ" and isinstance(v, Struct):
        items = [item for item in v.fields.values() if isinstance(item, Struct)]
        bodies = [all_written(name, item) for item in items]
        return b"".join(struct.pack("<HHI", 0xFFFE, 0xE000, len(b)) + b for b in bodies)
    if kind == "PN" and isinstance(v, Struct):
        order = ("FamilyName", "GivenName", "MiddleName", "NamePrefix", "NameSuffix")
        parts = [text_of(v.fields.get(n, "")) for n in order]
        return "^".join(parts).rstrip("^").encode("latin-1", "replace")
    if isinstance(v, Struct):
        raise MatlabError(f"images:{name}:invalidValue", f"A {kind} element takes no struct.")
    if is_text_scalar(v):
        return text_of(v).encode("latin-1", "replace")
    a = np.ravel(as_array(v), order="F")
    if kind in _NUMBERS:
        return a.astype("<" + _NUMBERS[kind]).tobytes()
    return "\\".join(f"{float(x):.10g}" for x in a).encode()


def all_written(name: str, fields: Struct) -> bytes:
    """The fields of a struct that are keywords, in the order of their tags; others are left out."""
    known = sorted((tags()[k], v) for k, v in fields.fields.items() if k in tags())
    return b"".join(
        written(tag, kind, bytes_of(name, kind, v))
        for tag, v in known
        if tag >> 16 != 2 and (kind := dictionary()[tag][0])
    )


def pixel_array(data: bytes, order: str, bits: int, *, signed: bool) -> Array:
    """The samples in a run of bytes."""
    letter = "i" if signed else "u"
    kind = np.dtype(f"{order}{letter}{bits // 8}")
    flat = np.frombuffer(data[: len(data) // kind.itemsize * kind.itemsize], kind)
    return flat.astype(kind.newbyteorder("="))
