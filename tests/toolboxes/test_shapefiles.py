"""Shapefiles that are damaged."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.mark.parametrize(("count", "size"), [(2**32 - 1, 0), (2**32 - 1, 65_535), (3, 12), (2, 0)])
def test_a_table_of_another_length_is_refused(tmp_path: Path, count: int, size: int) -> None:
    """At once, however many rows it says that it has."""
    session = Session()
    session.run(
        "s = struct('Geometry', 'Point', 'X', {1 2}, 'Y', {5 6}, 'n', {1 2});"
        f"shapewrite(s, '{tmp_path / 'a.shp'}');"
    )
    table = tmp_path / "a.dbf"
    data = bytearray(table.read_bytes())
    struct.pack_into("<I", data, 4, count)
    if size != 12:
        struct.pack_into("<H", data, 10, size)
    table.write_bytes(data)
    with pytest.raises(MatlabError, match=r"a\.dbf"):
        session.run(f"shaperead('{tmp_path / 'a.shp'}')")
