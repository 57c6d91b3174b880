"""Films that VideoWriter writes."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.scripts import Script


@pytest.fixture(scope="module")
def script() -> Any:
    made = Script()
    yield made
    made.session.close()


def chunks(data: bytes, start: int, end: int) -> dict[bytes, list[bytes]]:
    """The chunks of a part of a RIFF file by name; lists by the name of what they hold."""
    found: dict[bytes, list[bytes]] = {}
    while start < end:
        name, size = data[start : start + 4], struct.unpack("<I", data[start + 4 : start + 8])[0]
        body = data[start + 8 : start + 8 + size]
        if name == b"LIST":
            name, body = body[:4], body[4:]
        found.setdefault(name, []).append(body)
        start += 8 + size + size % 2
    return found


@pytest.mark.parametrize("profile", ["Motion JPEG AVI", "Uncompressed AVI", "Grayscale AVI"])
def test_films_hold_their_pictures(script: Script, tmp_path: Path, profile: str) -> None:
    name = str(tmp_path / "film.avi")
    script.run(f"""v = VideoWriter('{name}', '{profile}'); v.FrameRate = 8; open(v);
        for k = 1:3, writeVideo(v, uint8(80*k*ones(8,12,3))); end
        writeVideo(v, zeros(8,12)); close(v); n = v.FrameCount;""")
    assert script.session.value_of("n") == 4.0
    data = Path(name).read_bytes()
    assert data[:4] == b"RIFF"
    assert struct.unpack("<I", data[4:8])[0] == len(data) - 8
    parts = chunks(data, 12, len(data))
    head = struct.unpack("<14I", chunks(parts[b"hdrl"][0], 0, 64)[b"avih"][0])
    assert head[0] == 125000
    assert head[4] == 4
    assert head[8:10] == (12, 8)
    pictures = next(iter(chunks(parts[b"movi"][0], 0, len(parts[b"movi"][0])).values()))
    place, size = struct.unpack("<II", parts[b"idx1"][0][8:16])
    movi = data.index(b"movi")
    assert data[movi + place + 8 : movi + place + 8 + size] == pictures[0]
    if profile.startswith("Motion"):
        levels = [np.asarray(Image.open(io.BytesIO(p))).mean() for p in pictures]
        assert levels == pytest.approx([80, 160, 240, 0], abs=3)
    else:
        assert [np.frombuffer(p, np.uint8).mean() for p in pictures] == [80, 160, 240, 0]


@pytest.mark.parametrize(
    ("code", "match"),
    [
        ("VideoWriter('x.mp4', 'MPEG-4')", "no encoder for 'MPEG-4'"),
        ("VideoWriter('x', 'Nothing')", "not a profile"),
        ("v = VideoWriter('x'); writeVideo(v, zeros(4))", "OPEN must be called"),
        ("v = VideoWriter('x'); v.Height = 3;", "Unable to set"),
    ],
)
def test_what_cannot_be_done_is_an_error(script: Script, code: str, match: str) -> None:
    with pytest.raises(AssertionError, match=match):
        script.run(code)
