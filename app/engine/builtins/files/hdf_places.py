"""Where the values of an HDF5 file lie, and whether that can be.

The library believes what a file says about it: parts of a data set that lie in each other are
written and freed twice, which ends the process, at times only as another file is closed.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from h5py import h5d

_LEAST_HEAD = 48
"""How many bytes at the beginning of a file say what it is, at least."""
_CHECK_SUM = 4
"""How many bytes the filter fletcher32 adds to a part of a data set."""


class DamagedError(OSError):
    """A file whose parts contradict each other."""

    def __init__(self) -> None:
        super().__init__("it is damaged")


def check_places(data: h5d.DatasetID) -> None:
    """Raise OSError where parts of a data set lie in each other, or not in the file."""
    from h5py import h5i

    check_apart(places_of(data), h5i.get_file_id(data).get_filesize())


def is_data(held: object) -> bool:
    """Whether the library holds a data set."""
    from h5py import h5d

    return isinstance(held, h5d.DatasetID)


def places_of(data: h5d.DatasetID) -> list[tuple[int, int]]:
    """Where the parts of a data set begin and end; OSError where their sizes are none or a part is
    there twice."""
    from h5py import h5d, h5z

    made = data.get_create_plist()
    made.fill_value_defined()  # raises where that is damaged; to ask for the value ends the process
    if made.get_layout() == h5d.CONTIGUOUS and not made.get_external_count():
        at, size = data.get_offset(), data.get_storage_size()
        return [(at, at + size)] if size and at is not None else []
    if made.get_layout() != h5d.CHUNKED:
        return []
    parts: list[h5d.StoreInfo] = []
    data.chunk_iter(parts.append)
    filters = {made.get_filter(k)[0] for k in range(made.get_nfilters())}
    plain = prod(made.get_chunk()) * data.get_type().get_size()
    least = _CHECK_SUM if h5z.FILTER_FLETCHER32 in filters else 0
    for part in parts:
        if part.size != plain if not filters else part.size <= least:
            raise DamagedError
    if len({part.chunk_offset for part in parts}) < len(parts):
        raise DamagedError
    return [(part.byte_offset, part.byte_offset + part.size) for part in parts]


def check_apart(places: list[tuple[int, int]], size: int) -> None:
    """Raise OSError where places in a file of that size overlap, or its head, or its end."""
    ordered = [(0, _LEAST_HEAD), *sorted(places), (size, size)]
    if any(end > begin for (_, end), (begin, _) in pairwise(ordered)):
        raise DamagedError
