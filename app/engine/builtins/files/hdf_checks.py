"""HDF5 files opened for reading: what the library would crash or hang on is refused before.

The library believes two things that a damaged file says: how long the entries of a heap of texts
are, and of which kind a type of variable length is.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import h5py

_HEAP, _HEAP_HEAD, _ENTRY = b"GCOL", struct.Struct("<4sB3xQ"), struct.Struct("<HH4xQ")
_VERSION, _KINDS = 1, (0, 1)
"""Of a heap; and of a type of variable length: a sequence or a text."""
_BITS = 3
"""Where the kind of a type stands in its message, behind the library's mark and the class."""


class DamagedError(OSError):
    """A file whose parts contradict each other."""

    def __init__(self) -> None:
        super().__init__("it is damaged")


def opened_to_read(path: Path) -> h5py.File:
    """The file as h5py has it; OSError where it is damaged or none of its format."""
    import h5py

    check_content(path)
    return h5py.File(path, "r")


def check_content(path: Path) -> None:
    """Raise OSError where a file is empty, or its heaps of texts contradict themselves."""
    if not path.stat().st_size:
        raise DamagedError
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        _check_heaps(content)


def check_types(node: h5py.HLObject) -> None:
    """Raise OSError where a type of a data set, or of an attribute of a node, is none."""
    from h5py import h5a

    for k in range(h5a.get_num_attrs(node.id)):
        check_type(h5a.open(node.id, index=k).get_type())
    if not hasattr(node, "keys") and hasattr(node.id, "get_type"):
        check_type(node.id.get_type())


def check_type(found: h5py.h5t.TypeID) -> None:
    """Raise OSError where a type is none."""
    from h5py import h5t

    kind = found.get_class()
    if kind == h5t.VLEN:
        if found.encode()[_BITS] & 15 not in _KINDS:
            raise DamagedError
        check_type(found.get_super())
    elif kind == h5t.ARRAY:
        check_type(found.get_super())
    elif kind == h5t.COMPOUND:
        for k in range(found.get_nmembers()):
            check_type(found.get_member_type(k))


def _check_heaps(content: mmap.mmap) -> None:
    """Raise OSError where the entries of a heap do not fill it."""
    at = content.find(_HEAP)
    while at >= 0:
        if at + _HEAP_HEAD.size <= len(content):
            _, version, size = _HEAP_HEAD.unpack_from(content, at)
            if version == _VERSION and content[at + 5 : at + 8] == bytes(3):
                _check_entries(content, at + _HEAP_HEAD.size, min(at + size, len(content)))
        at = content.find(_HEAP, at + 1)


def _check_entries(content: mmap.mmap, at: int, end: int) -> None:
    while at + _ENTRY.size <= end:
        number, _, size = _ENTRY.unpack_from(content, at)
        if not number:  # what is free, its head with it
            if size != end - at:
                raise DamagedError
            return
        at += _ENTRY.size + -(-size // 8) * 8
        if at > end:
            raise DamagedError
