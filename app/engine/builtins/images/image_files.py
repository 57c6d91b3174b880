"""Pictures in files through Pillow: imread, imwrite, imfinfo, imformats."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app import memory, paths
from app.engine.arguments.checks import enough, option_pairs
from app.engine.builtins.images import picture_options
from app.engine.builtins.images.image_opening import opened_image
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    int_of,
    is_char,
    is_string,
    text_of,
    unwrap,
)
from app.errors import MatlabError, reason_of

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

_FAMILY = "images"
_FORMATS = {
    "jpg": "JPEG",
    "jpeg": "JPEG",
    "png": "PNG",
    "bmp": "BMP",
    "tif": "TIFF",
    "tiff": "TIFF",
    "gif": "GIF",
    "ppm": "PPM",
    "pgm": "PPM",
    "pbm": "PPM",
    "webp": "WEBP",
}


def _place(name: Value, options: Sequence[Value]) -> Path:
    """A picture's file; with a format behind its name, that of the name with such an ending where
    there is none of the name alone."""
    if text_of(name).lower().startswith(("http://", "https://", "ftp://")):
        text = (
            "Pictures are read from files: save that of a web address first, "
            "as in websave('picture.png', address)."
        )
        raise MatlabError("MATLAB:imagesci:imread:webAddress", text)
    path = Path(text_of(name)).expanduser()
    words = [text_of(o).lower().lstrip(".") for o in options[:1] if is_char(o) or is_string(o)]
    if not words or words[0] not in _FORMATS or path.exists():
        return path
    same = [e for e, kind in _FORMATS.items() if kind == _FORMATS[words[0]] and e != words[0]]
    tried = (path.with_name(f"{path.name}.{ending}") for ending in (words[0], *same))
    return next((found for found in tried if found.exists()), path)


def _open(path: Path, function: str) -> Any:
    try:
        image = opened_image(paths.content(path))
    except FileNotFoundError as problem:
        text = f'File "{path}" does not exist.'
        raise MatlabError(f"MATLAB:imagesci:{function}:fileDoesNotExist", text) from problem
    except OSError as problem:
        if problem.errno:
            raise
        text = f"Unable to determine the file format of '{path}': it is damaged, or no picture."
        raise MatlabError(f"MATLAB:imagesci:{function}:fileFormat", text) from problem
    width, height = image.size
    memory.require(4.0 * width * height, f"the image of {height}x{width} pixels")
    return image


@builtin(
    "imread",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "A = imread(file)",
        "[A, map, alpha] = imread(file)",
        "A = imread(file, format)",
        "A = imread(file, index)",
        "A = imread(file, 'Frames', frames)",
    ),
    cases=(
        "imwrite(uint8([1 2; 3 4]), 'a.png'); isequal(imread('a.png'), uint8([1 2; 3 4]))",
        "imwrite(uint8([0 9]), 'c.bmp'); [~, m] = imread('c.bmp'); isequal(m, gray(256))",
        "imwrite(uint8(7), 'b.tif'); isequal(imread('b', 'tiff'), imread('b', 'TIF'), uint8(7))",
    ),
    see=("imwrite", "imfinfo", "imshow"),
)
def imread(name: Value, *options: Value) -> Value:
    """A picture as an array: M-by-N grey or indexed, M-by-N-by-3 colours; uint8, uint16 or logical.

    An indexed picture, and every BMP file of greys, has its colours in ``map``; ``alpha`` is its
    transparency. Several frames of a GIF file (numbers, or 'all') are M-by-N-by-1-by-K.
    """
    place = _place(name, options)
    with reading("imread", place):
        return _picture(place, options)


def _picture(place: Path, options: tuple[Value, ...]) -> Value:
    """Pixels, colours and transparency."""
    image = _open(place, "imread")
    wanted = _frames(options)
    if wanted is not None and image.format == "GIF":
        from app.engine.builtins.images import gif_files

        frames, colours = gif_files.read(place, wanted)
        return canonical(np.asfortranarray(frames)), canonical(colours), np.zeros((0, 0))
    frame = next((int_of(o) for o in options if not (is_char(o) or is_string(o))), 1)
    if frame > 1:
        image.seek(frame - 1)
    _check_covered(image)
    if image.mode == "P":
        palette = np.array(image.getpalette() or [], dtype=np.float64).reshape(-1, 3) / 255
        return _fortran(np.asarray(image)), canonical(palette), np.zeros((0, 0))
    pixels, alpha = _pixels(image)
    greys = {"1": 2, "L": 256}.get(image.mode, 0) if image.format == "BMP" else 0
    table = np.linspace([0.0] * 3, [1.0] * 3, greys) if greys else np.zeros((0, 0))
    return pixels, canonical(table), alpha


def _frames(options: tuple[Value, ...]) -> list[int] | None:
    """Numbers of the frames that are asked for, none for all of them; None for the first."""
    words = [text_of(o).lower() for o in options if is_char(o) or is_string(o)]
    if "all" in words:
        return []
    numbers = [as_array(o) for o in options if not (is_char(o) or is_string(o))]
    return [int(n) for n in numbers[0].ravel()] if numbers else None


def _pixels(image: Any) -> tuple[Value, Value]:
    """Pixels, and transparency where the picture has it."""
    nothing = np.zeros((0, 0))
    if image.mode == "1":
        return unwrap(np.asarray(image).astype(bool)), nothing
    if image.mode in ("LA", "RGBA"):
        data = np.asarray(image)
        colours = data[..., 0] if image.mode == "LA" else data[..., :3]
        return _fortran(colours), _fortran(data[..., -1])
    if image.mode.startswith("I"):
        return _fortran(np.asarray(image).astype(np.uint16)), nothing
    if image.mode in ("CMYK", "YCbCr", "LAB", "HSV"):
        image = image.convert("RGB")
    return _fortran(np.asarray(image)), nothing


def _check_covered(image: ImageFile) -> None:
    """Refuse a TIFF picture whose strips and tiles leave a part of it without pixels."""
    if image.format != "TIFF" or not image.tile:
        return
    covered = [extents for _, extents, *_ in image.tile if extents is not None]
    right = max((extents[2] for extents in covered), default=0)
    lower = max((extents[3] for extents in covered), default=0)
    if right < image.width or lower < image.height:
        raise OSError("its strips do not cover the picture")


def _fortran(data: Any) -> Value:
    return unwrap(np.asfortranarray(data))


@builtin(
    "imwrite",
    least=2,
    category=_FAMILY,
    signatures=(
        "imwrite(A, file)",
        "imwrite(A, map, file)",
        "imwrite(..., format)",
        "imwrite(..., 'Quality', q, 'Alpha', a)",
        "imwrite(A, 'pages.tif', 'WriteMode', 'append', 'Compression', 'lzw', 'Resolution', 300)",
        "imwrite(A, 'a.png', 'XResolution', 3000, 'Author', name)",
        "imwrite(A, map, 'film.gif', 'WriteMode', 'append', 'DelayTime', 0.1, 'LoopCount', Inf)",
    ),
    cases=("imwrite(zeros(4, 4, 3), 'a.png'); isfile('a.png')",),
    see=("imread",),
)
def imwrite(*args: Value) -> None:
    """Write a picture; doubles from 0 to 1 become 8 bits.

    TIFF files hold pages that are appended one by one (``imread(file, k)`` reads one of them).
    GIF files hold films: frames are given together (M-by-N-by-1-by-K) or appended one by one.
    """
    from PIL import Image

    rest = list(args)
    a = rest.pop(0)
    enough(rest, 1 if is_char(rest[0]) or is_string(rest[0]) else 2)
    colours = None if is_char(rest[0]) or is_string(rest[0]) else as_array(rest.pop(0))
    path = Path(text_of(rest.pop(0))).expanduser()
    form = text_of(rest.pop(0)).lower() if len(rest) % 2 else path.suffix[1:].lower()
    if form not in _FORMATS:
        text = f"Unable to determine the file format from the file name '{path.name}'."
        raise MatlabError("MATLAB:imagesci:imwrite:fileFormat", text)
    if form == "gif":
        _write_gif(path, as_array(a), colours, rest)
        return
    options = picture_options.given(_FORMATS[form], rest)
    pixels = _bytes(as_array(a), indexed=colours is not None)
    if "alpha" in options:
        alpha = _bytes(as_array(options["alpha"]), indexed=False)
        if alpha.shape != pixels.shape[:2] or alpha.dtype != np.uint8 or pixels.dtype != np.uint8:
            text = "Alpha must have the size of the picture, and both must be of class uint8 here."
            raise MatlabError("MATLAB:imagesci:writepng:alphaDoesNotMatchImage", text)
        pixels = np.concatenate([np.atleast_3d(pixels), alpha[..., None]], axis=2)
    image = Image.fromarray(np.ascontiguousarray(pixels))
    if colours is not None:
        image = image.convert("L")
        image.putpalette((np.clip(colours, 0, 1) * 255).round().astype(np.uint8).ravel().tolist())
    beside = picture_options.written(_FORMATS[form], options, image)
    try:
        if picture_options.appends(options) and path.exists():
            picture_options.append_page(path, image, beside)
            return
        content = io.BytesIO()  # the library itself does not look whether the disk took all of it
        image.save(content, format=_FORMATS[form], **beside)
        paths.put_whole(path, content.getvalue())
    except OSError as problem:
        text = f'Unable to open file "{path}" for writing: {reason_of(problem)}.'
        raise MatlabError("MATLAB:imagesci:imwrite:fileOpen", text) from problem


def _write_gif(path: Path, a: Array, colours: Array | None, rest: list[Value]) -> None:
    """Frames of positions in a table of colours; grey levels without one."""
    from app.engine.builtins.images import gif_files

    options = option_pairs("imwrite", rest, gif_files.OPTIONS)
    if a.ndim == 3 and a.shape[2] == 3:
        text = "GIF files hold indexed pictures: [X, map] = rgb2ind(RGB, 256) makes one."
        raise MatlabError("MATLAB:imwrite:rgbGif", text)
    frames = np.moveaxis(a.reshape(*a.shape[:2], -1), 2, 0)
    pixels = np.stack([_bytes(f, indexed=colours is not None) for f in frames], axis=2)
    if colours is None:
        colours = np.repeat(np.linspace(0, 1, 256)[:, None], 3, axis=1)
        pixels = pixels * 255 if pixels.dtype.kind == "b" else pixels
    gif_files.write(path, pixels, colours, options)


def _bytes(a: Array, *, indexed: bool) -> Array:
    """Pixels as the integers files hold."""
    if a.ndim > 3 or (a.ndim == 3 and a.shape[2] not in (1, 3, 4)):
        text = "Invalid image data: it must be M-by-N or M-by-N-by-3."
        raise MatlabError("MATLAB:imagesci:writepng:wrongImageDims", text)
    a = a[..., 0] if a.ndim == 3 and a.shape[2] == 1 else a
    if a.dtype.kind == "b":
        return a if a.ndim == 2 else a.astype(np.uint8) * np.uint8(255)
    if a.dtype == np.uint16 and a.ndim == 3:
        text = "Coloured pictures are written with 8 bits: im2uint8 makes such a picture."
        raise MatlabError("MATLAB:imagesci:writepng:unsupportedImageClass", text)
    if a.dtype.kind == "f":
        scaled = a - 1 if indexed else a * 255
        return np.clip(np.floor(scaled + 0.5), 0, 255).astype(np.uint8)
    if a.dtype not in (np.uint8, np.uint16):
        text = f"Images of class '{a.dtype}' are not supported."
        raise MatlabError("MATLAB:imagesci:writepng:unsupportedImageClass", text)
    return a


@builtin(
    "imfinfo",
    reads_file=True,
    category=_FAMILY,
    signatures=("info = imfinfo(file)",),
    cases=("imwrite(uint8(zeros(2, 3)), 'a.png'); s = imfinfo('a.png'); s.Width == 3",),
    see=("imread",),
)
def imfinfo(name: Value) -> Value:
    """Facts of a picture file: Format, Width, Height, BitDepth, ColorType …."""
    path = _place(name, ()).resolve()
    with reading("imfinfo", path):
        return _facts(path)


def _facts(path: Path) -> Value:
    image = _open(path, "imfinfo")
    depths = {"1": 1, "L": 8, "P": 8, "RGB": 24, "RGBA": 32, "LA": 16, "I;16": 16, "CMYK": 32}
    kinds = {
        "1": "grayscale",
        "L": "grayscale",
        "LA": "grayscale",
        "P": "indexed",
        "I;16": "grayscale",
        "I": "grayscale",
    }
    form = (image.format or "").lower()
    facts: dict[str, Value] = {
        "Filename": str(path),
        "FileModDate": "",
        "FileSize": float(path.stat().st_size),
        "Format": {"jpeg": "jpg", "tiff": "tif"}.get(form, form),
        "FormatVersion": "",
        "Width": float(image.width),
        "Height": float(image.height),
        "BitDepth": float(depths.get(image.mode, 8)),
        "ColorType": kinds.get(image.mode, "truecolor"),
    }
    if form == "tiff":
        facts |= picture_options.facts(image)
    frames = int(getattr(image, "n_frames", 1))
    if frames == 1:
        return Struct(facts)
    return StructArray.of([Struct(dict(facts)) for _ in range(frames)], (frames, 1))


@builtin(
    "imformats",
    category=_FAMILY,
    signatures=("c = imformats",),
    cases=("any(strcmp(imformats, 'png'))",),
    see=("imread",),
)
def imformats() -> Value:
    """Extensions of the picture files that can be read and written."""
    return Cell.of(sorted(_FORMATS))
