"""Pictures of files, opened with limits: a small file cannot ask for a large part of the memory."""

from __future__ import annotations

import io
import struct
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

_FORMATS = tuple("BMP CUR DIB GIF ICO JPEG JPEG2000 PCX PNG PPM SUN TIFF WEBP".split())
"""What is read. The library knows more, and starts a program for some of them (EPS)."""
_ALWAYS = 1 << 27
"""Pixels that a picture, or a frame of one, may have however short its file is."""
_OF_A_BYTE = 20_000
"""More pixels than a byte stands for in the formats that pack best."""
_INFLATED = 1040
"""More bytes than the packing of PNG makes one of."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Numbers of a pixel, by the kind of colours in the header of a PNG file."""


def opened_image(data: bytes) -> ImageFile:
    """The picture of a file's content, its first frame; nothing is decoded yet.

    Raises UnidentifiedImageError where it is none, and DecompressionBombError here or as a frame
    is sought where it has more pixels than such a file can hold.
    """
    from PIL import Image, UnidentifiedImageError

    # The library refuses twice what is set here, and warns of what has more than that.
    Image.MAX_IMAGE_PIXELS = max(_ALWAYS, _OF_A_BYTE * len(data)) // 2
    warnings.filterwarnings("ignore", module="PIL")  # it says them of what it reads all the same
    warnings.filterwarnings("error", "Truncated File Read", module="PIL")
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except (ValueError, LookupError, struct.error) as problem:
        raise UnidentifiedImageError(str(problem)) from problem
    if image.format == "PNG" and _png_bytes(data) > _INFLATED * len(data):
        raise OSError("it has fewer pixels than it says")
    return image


def _png_bytes(data: bytes) -> int:
    """How many bytes the rows of a PNG picture take before they are packed."""
    width, height, depth, colours = struct.unpack_from(">IIBB", data, 16)
    bits = depth * _CHANNELS.get(colours, 1)
    return int(height * (1 + width * bits / 8))
