"""What imwrite writes beside the pixels: compression, resolution, comments, further pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from app.engine.arguments.checks import option_pairs, unknown_option
from app.engine.values import Value, as_array, int_of, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image

Written: TypeAlias = dict[str, object]
"""Arguments of Pillow's ``save``."""
_TEXTS = (
    "Author Comment Copyright CreationTime Description Disclaimer Software Source Title Warning"
)
_OPTIONS = {
    "TIFF": "Alpha Compression Description Resolution WriteMode",
    "PNG": f"Alpha ResolutionUnit XResolution YResolution {_TEXTS}",
    "JPEG": "Alpha Comment Mode Quality",
}
_CODES = {
    "none": "raw",
    "packbits": "packbits",
    "lzw": "tiff_lzw",
    "deflate": "tiff_adobe_deflate",
    "jpeg": "jpeg",
    "ccitt": "tiff_ccitt",
    "fax3": "group3",
    "fax4": "group4",
}
_BINARY = ("ccitt", "fax3", "fax4")


def given(form: str, rest: list[Value]) -> dict[str, Value]:
    """The options that pictures of this format take."""
    return option_pairs("imwrite", rest, _OPTIONS.get(form, "Alpha Quality"))


def appends(options: dict[str, Value]) -> bool:
    """Whether the picture becomes a further page."""
    mode = text_of(options["writemode"]).lower() if "writemode" in options else "overwrite"
    if mode not in ("overwrite", "append"):
        raise unknown_option("imwrite", options["writemode"], "overwrite append")
    return mode == "append"


def append_page(path: Path, image: Image, beside: Written) -> None:
    """Write a further page behind those of a TIFF file; the pages before stay where they are."""
    from PIL.TiffImagePlugin import AppendingTiffWriter

    with AppendingTiffWriter(str(path)) as pages:
        image.save(pages, format="TIFF", **beside)
        pages.newFrame()


def written(form: str, options: dict[str, Value], image: Image) -> Written:
    """What is written beside the pixels."""
    return {"TIFF": _tiff, "PNG": _png, "JPEG": _jpeg}.get(form, _other)(options, image)


def _other(options: dict[str, Value], _: Image) -> Written:
    return {"quality": int_of(options["quality"])} if "quality" in options else {}


def _jpeg(options: dict[str, Value], _: Image) -> Written:
    mode = text_of(options["mode"]).lower() if "mode" in options else "lossy"
    if mode != "lossy":
        text = "JPEG pictures are written with losses here: write a PNG or TIFF file to keep all."
        raise MatlabError("MATLAB:imagesci:writejpg:lossless", text)
    quality = int_of(options["quality"]) if "quality" in options else 75
    comment = {"comment": text_of(options["comment"])} if "comment" in options else {}
    return {"quality": quality, **comment}


def _tiff(options: dict[str, Value], image: Image) -> Written:
    made: Written = {}
    if "compression" in options:
        word = text_of(options["compression"]).lower()
        if word not in _CODES:
            raise unknown_option("imwrite", options["compression"], " ".join(_CODES))
        if word in _BINARY and image.mode != "1":
            text = "CCITT, fax3 and fax4 compression can be used with binary images only."
            raise MatlabError("MATLAB:imagesci:writetif:badCompressionForImage", text)
        made["compression"] = _CODES[word]
    if "resolution" in options:
        both = as_array(options["resolution"]).ravel().real
        made["dpi"] = (float(both[0]), float(both[-1]))
    if "description" in options:
        made["description"] = text_of(options["description"])
    return made


def _png(options: dict[str, Value], _: Image) -> Written:
    from PIL.PngImagePlugin import PngInfo

    texts = PngInfo()
    for name in _TEXTS.split():
        if name.lower() in options:
            texts.add_text(
                name.replace("CreationTime", "Creation Time"), text_of(options[name.lower()])
            )
    made: Written = {"pnginfo": texts}
    if "xresolution" in options or "yresolution" in options:
        x, y = (options.get(f"{axis}resolution") for axis in "xy")
        lengths = [float(as_array(v).real.ravel()[0]) for v in (x or y, y or x) if v is not None]
        made["dpi"] = (lengths[0] * 0.0254, lengths[1] * 0.0254)
    return made


def facts(image: Image) -> dict[str, Value]:
    """What imfinfo says of a TIFF picture besides its size."""
    tags = getattr(image, "tag_v2", {})
    names = {code: name for name, code in zip(_CODES, (1, 32773, 5, 8, 7, 2, 3, 4), strict=True)}
    words = {"none": "Uncompressed", "packbits": "PackBits", "lzw": "LZW", "jpeg": "JPEG"}
    word = names.get(int(tags.get(259, 1)), "deflate")
    made: dict[str, Value] = {"Compression": words.get(word, word.capitalize())}
    if 282 in tags and 283 in tags:
        units = {1: "None", 2: "Inch", 3: "Centimeter"}
        made["XResolution"], made["YResolution"] = float(tags[282]), float(tags[283])
        made["ResolutionUnit"] = units.get(int(tags.get(296, 2)), "None")
    if 270 in tags:
        made["ImageDescription"] = str(tags[270])
    return made
