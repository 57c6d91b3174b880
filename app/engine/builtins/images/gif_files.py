"""Animated pictures in GIF files: frames that are added one by one, and read together.

A file is a header, a table of colours, blocks, and a last byte; a frame that is appended brings a
table of its own. Source: the GIF89a specification.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from PIL import GifImagePlugin, Image

from app import paths
from app.engine.builtins.images.image_opening import opened_image
from app.engine.values import Array, Value, float_of, text_of
from app.errors import MatlabError

OPTIONS = "WriteMode LoopCount DelayTime DisposalMethod TransparentColor"
_END = b";"
_DISPOSALS = {"donotspecify": 0, "leaveinplace": 1, "restorebg": 2, "restoreprevious": 3}


def write(path: Path, frames: Array, colours: Array, options: Mapping[str, Value]) -> None:
    """Write frames, or append them to those of a file.

    Args:
        path: the file.
        frames: positions in the table of colours from 0, M-by-N-by-1-by-K or M-by-N.
        colours: as many rows as there are colours, at most 256, from 0 to 1.
        options: values by the names of `OPTIONS` in lower case.
    """
    mode = text_of(options.get("writemode", "overwrite")).lower()
    if mode not in {"overwrite", "append"}:
        raise MatlabError("MATLAB:imwrite:WriteMode", "WriteMode is 'overwrite' or 'append'.")
    height, width = frames.shape[:2]
    blocks = [
        _frame(f, colours, options) for f in np.moveaxis(frames.reshape(height, width, -1), 2, 0)
    ]
    if mode == "append" and path.is_file():
        start = paths.content(path)
        if start[:6] not in (b"GIF87a", b"GIF89a"):
            raise MatlabError(
                "MATLAB:imwrite:WriteMode", f"{path} is not a GIF file that can be appended to."
            )
        start = b"GIF89a" + start[6:].rstrip(b"\0").removesuffix(_END)
    else:
        start = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x70, 0, 0) + _loop(options)
    paths.put_whole(path, start + b"".join(blocks) + _END)


def _loop(options: Mapping[str, Value]) -> bytes:
    """The block that says how often the frames are repeated; none for once."""
    count = _number(options, "loopcount", 0.0 if "loopcount" in options else 1.0)
    if "loopcount" not in options or count == 0:
        return b""
    times = 0 if math.isinf(count) else int(min(max(count, 1), 65535))
    return b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", times) + b"\0"


def _number(options: Mapping[str, Value], name: str, default: float) -> float:
    return float_of(options[name]) if name in options else default


def _frame(data: Array, colours: Array, options: Mapping[str, Value]) -> bytes:
    """One picture with its times and its table of colours."""
    image = Image.fromarray(np.ascontiguousarray(data.astype(np.uint8)))
    image.putpalette((np.clip(colours, 0, 1) * 255).round().astype(np.uint8).ravel().tolist())
    file = io.BytesIO()
    image.save(file, format="GIF", optimize=False, interlace=0)
    content = file.getvalue()
    bits = content[10] & 7
    table = content[13 : 13 + 3 * 2 ** (bits + 1)]
    place = content.index(b",", 13 + len(table))  # blocks before it are empty or hold no comma
    pixels = content[place + 10 :].removesuffix(_END)
    head = struct.pack("<cHHHHB", b",", 0, 0, data.shape[1], data.shape[0], 0x80 | bits)
    return _control(options) + head + table + pixels


def _control(options: Mapping[str, Value]) -> bytes:
    """Time and transparency of a frame."""
    delay = round(100 * min(max(_number(options, "delaytime", 0.5), 0.0), 655.0))
    word = text_of(options.get("disposalmethod", "doNotSpecify")).lower()
    if word not in _DISPOSALS:
        text = "DisposalMethod is doNotSpecify, leaveInPlace, restoreBG or restorePrevious."
        raise MatlabError("MATLAB:imwrite:DisposalMethod", text)
    has_transparent = "transparentcolor" in options
    flags = _DISPOSALS[word] << 2 | has_transparent
    return (
        b"!\xf9\x04"
        + struct.pack("<BHB", flags, delay, int(_number(options, "transparentcolor", 0.0)))
        + b"\0"
    )


def read(path: Path, wanted: list[int] | None) -> tuple[Array, Array]:
    """Frames by their numbers from 1 (all without), M-by-N-by-1-by-K, and the colours."""
    before = GifImagePlugin.LOADING_STRATEGY
    GifImagePlugin.LOADING_STRATEGY = (
        GifImagePlugin.LoadingStrategy.RGB_AFTER_DIFFERENT_PALETTE_ONLY
    )
    try:
        with opened_image(paths.content(path)) as image:
            count = int(getattr(image, "n_frames", 1))
            numbers = wanted or list(range(1, count + 1))
            if not all(1 <= n <= count for n in numbers):
                text = f"The file has {count} frames."
                raise MatlabError("MATLAB:imagesci:imread:frames", text)
            image.seek(0)
            first = image.convert("P") if image.mode != "P" else image.copy()
            frames = []
            for number in numbers:
                image.seek(number - 1)
                same = image.mode == "P"
                shown = (
                    image
                    if same
                    else image.convert("RGB").quantize(palette=first, dither=Image.Dither.NONE)
                )
                frames.append(np.asarray(shown).copy())
    finally:
        GifImagePlugin.LOADING_STRATEGY = before
    palette = np.array(first.getpalette() or [], dtype=np.float64).reshape(-1, 3) / 255
    return np.stack(frames, axis=2)[:, :, None, :], palette
