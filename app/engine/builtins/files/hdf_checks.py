"""HDF5 files opened for reading: what the library would crash or hang on is refused before.

The library believes what a damaged file says: how long the entries of a heap of texts are, of which
kind a type of variable length is, how long its values are, to make room for them, which bits of its
bytes a number has, and where the parts of a data set lie, which it may write and free twice.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from app import paths, restricted
from app.engine.builtins.files.hdf_lengths import check_lengths
from app.engine.builtins.files.hdf_places import (
    DamagedError,
    check_apart,
    check_places,
    is_data,
    places_of,
)

if TYPE_CHECKING:
    import h5py

_HEAP, _HEAP_HEAD, _ENTRY = b"GCOL", struct.Struct("<4sB3xQ"), struct.Struct("<HH4xQ")
_VERSION, _KINDS = 1, (0, 1)
"""Of a heap; and of a type of variable length: a sequence or a text."""
_SCALE, _SCALES = b"DIMENSION_SCALE", b"DIMENSION_LIST"
_REFERENCE = 8
"""The bytes of a reference to a data set."""
_BITS = 3
"""Where the kind of a type stands in its message, behind the library's mark and the class."""


def opened_to_read(path: Path) -> h5py.File:
    """The file as h5py has it; OSError where it is damaged or none of its format."""
    import h5py

    check_content(path)
    return h5py.File(path, "r")


def opened_to_write(path: Path, mode: str, *, track_order: bool | None = None) -> h5py.File:
    """The file to write to, in a mode of h5py's; OSError where any part of it is damaged."""
    import h5py

    restricted.check_writing(path)  # the library opens files itself
    if path.exists():
        paths.check_file(path)
    if path.is_file():
        with opened_to_read(path) as file:
            check_to_write(file)
    return h5py.File(path, mode, track_order=track_order)


def check_to_write(file: h5py.File) -> None:
    """Raise OSError where a part of a file is damaged: to change it, or to close it after that, may
    end the process."""
    places: list[tuple[int, int]] = []
    check_node(file)
    file.visititems(lambda _, node: places.extend(_places_of_sound(node)))
    check_apart(places, file.id.get_filesize())


def _places_of_sound(node: h5py.HLObject) -> list[tuple[int, int]]:
    """Where the values of a node lie; OSError where it is damaged."""
    check_node(node)
    mark = "CLASS" in node.attrs and node.attrs.get_id("CLASS").dtype == f"S{len(_SCALE) + 1}"
    if mark and node.attrs["CLASS"] != _SCALE:
        raise DamagedError
    return places_of(node.id) if is_data(node.id) else []


def check_content(path: Path) -> None:
    """Raise OSError where a file is empty, or its heaps of texts contradict themselves."""
    if not path.stat().st_size:
        raise DamagedError
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        _check_heaps(content)


def check_node(node: h5py.HLObject) -> None:
    """Raise OSError where a type of a data set, or of an attribute of a node, is none, or where the
    values of a data set are."""
    from h5py import h5a

    for k in range(h5a.get_num_attrs(node.id)):
        attribute = h5a.open(node.id, index=k)
        check_type(attribute.get_type())
        if attribute.name == _SCALES:
            _check_scales(attribute.get_type())
        check_lengths(attribute)
    if not hasattr(node, "keys") and hasattr(node.id, "get_type"):
        check_type(node.id.get_type())
    if is_data(node.id):
        check_places(node.id)
        check_lengths(node.id)


def _check_scales(found: h5py.h5t.TypeID) -> None:
    """Raise OSError where the lists of a data set's dimensions are no lists of references: the
    library reads them by the type that the file says, and takes them for such."""
    from h5py import h5t

    lists = found.get_class() == h5t.VLEN and found.get_super().get_class() == h5t.REFERENCE
    if not lists or found.get_super().get_size() != _REFERENCE:
        raise DamagedError


def is_scale(data: h5py.Dataset) -> bool:
    """Whether a data set is a dimension of others. The library frees its mark twice where another
    text of the same length stands there, so it is not asked then."""
    mark = data.attrs.get("CLASS")
    return isinstance(mark, bytes) and mark == _SCALE and bool(data.is_scale)


def check_type(found: h5py.h5t.TypeID) -> None:
    """Raise OSError where a type is none."""
    from h5py import h5t

    kind = found.get_class()
    if kind in {h5t.INTEGER, h5t.FLOAT}:
        bits = [(found.get_offset(), found.get_precision())]
        if kind == h5t.FLOAT:
            sign, exponent, width, fraction, digits = found.get_fields()
            bits += [(sign, 1), (exponent, width), (fraction, digits)]
        if any(at + count > 8 * found.get_size() for at, count in bits):
            raise DamagedError
    elif kind == h5t.VLEN:
        if found.encode()[_BITS] & 15 not in _KINDS:
            raise DamagedError
        check_type(found.get_super())
    elif kind in {h5t.ARRAY, h5t.ENUM}:
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
