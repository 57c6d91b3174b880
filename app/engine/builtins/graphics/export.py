"""Figures as files: print, saveas, exportgraphics.

The engine knows no pixels, with or without a window. A process of its own, which may load Qt, gets
the figure as plain data and writes the file; it needs no display. Data of resident arrays has to
come down for that, and is counted as downloaded for a plot.
"""

from __future__ import annotations

import base64
import math
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.graphics.plotting_support import PLOT, figures
from app.engine.builtins.graphics.renderer import RenderProcess
from app.engine.declarations.registry import builtin
from app.engine.figures.model import Figures
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.snapshot import figure_snapshot
from app.engine.values import Value
from app.errors import MatlabError, reason_of

SCREEN_DPI = 96.0
_DEVICES = {
    "-dpng": ".png",
    "-djpeg": ".jpg",
    "-dtiff": ".tif",
    "-dbmp": ".bmp",
    "-dsvg": ".svg",
    "-dpdf": ".pdf",
    "-depsc": ".eps",
    "-depsc2": ".eps",
    "-deps": ".eps",
    "-deps2": ".eps",
    "-dtiffn": ".tif",
    "-djpg": ".jpg",
    "-dppm": ".ppm",
    "-dppmraw": ".ppm",
}
_FORMATS = {
    "png": ".png",
    "jpg": ".jpg",
    "jpeg": ".jpg",
    "tif": ".tif",
    "tiff": ".tif",
    "bmp": ".bmp",
    "svg": ".svg",
    "pdf": ".pdf",
    "eps": ".eps",
    "epsc": ".eps",
    "ppm": ".ppm",
}
WRITABLE = frozenset((*_FORMATS.values(), ".jpeg", ".tiff"))


def _on_host(data: dict[str, Any]) -> dict[str, Any]:
    """Exported device data with its numbers fetched."""
    pin = data["buffer"]
    flat = pin.runtime.gather(pin.node, "plot").reshape(-1, order="F")
    size = int(np.prod(data["shape"]))
    part = flat[data["offset"] : data["offset"] + size].reshape(data["shape"], order="F")
    return {"kind": "host", "array": part, "moved_bytes": part.nbytes}


def portable(item: Any) -> Any:
    """A snapshot without device buffers, for another process."""
    if isinstance(item, dict):
        if item.get("kind") == "device":
            return _on_host(item)
        return {key: portable(value) for key, value in item.items()}
    return [portable(value) for value in item] if isinstance(item, list) else item


def _snapshot(target: GraphicsObject) -> dict[str, Any]:
    """The figure to write: all of it, or one of its axes alone."""
    figure = target.ancestor("figure")
    if figure is None:
        raise MatlabError("MATLAB:print:InvalidHandle", "Invalid or deleted object.")
    model = figure_snapshot(figure)
    if target.kind.base == "axes":
        only = [child for child in model["children"] if child["id"] == target.serial]
        model = {**model, "children": [{**child, "frame": (0.0, 0.0, 1.0, 1.0)} for child in only]}
    found: dict[str, Any] = portable(model)
    return found


def write_figure(target: GraphicsObject, path: Path, dpi: float) -> None:
    """Write a figure (or axes) to a file."""
    if path.suffix.lower() == ".eps":
        _write_postscript(target, path, dpi)
        return
    if path.suffix.lower() not in WRITABLE:
        known = ", ".join(sorted(WRITABLE))
        raise MatlabError(
            "MATLAB:print:InvalidFormat",
            f"'{path.suffix}' is not a file type for figures. Use one of {known}.",
        )
    _renderer(target.owner).draw(_snapshot(target), path, dpi)


def _renderer(model: Figures) -> RenderProcess:
    """The process that draws, started when it is needed."""
    kept: RenderProcess | None = model.renderer
    if kept is None or not kept.alive:
        kept = model.renderer = RenderProcess(model)
    return kept


def _write_postscript(target: GraphicsObject, path: Path, dpi: float) -> None:
    """An encapsulated PostScript file with the figure as a picture, in the figure's own size."""
    from PIL import Image

    dpi = max(dpi, 300.0)
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder, "figure.png")
        write_figure(target, picture, dpi)
        try:
            with Image.open(picture) as image:
                made = _postscript(image.size, image.convert("RGB").tobytes(), dpi)
            paths.put_whole(path, made)
        except OSError as problem:
            text = f"Cannot write the figure to '{path}': {reason_of(problem)}."
            raise MatlabError("MATLAB:print:CannotCreateFile", text) from problem


_POSTSCRIPT = """\
%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 {right} {top}
%%HiResBoundingBox: 0 0 {width:.3f} {height:.3f}
%%LanguageLevel: 3
%%EndComments
gsave {width:.3f} {height:.3f} scale /DeviceRGB setcolorspace
<< /ImageType 1 /Width {across} /Height {down} /BitsPerComponent 8 /Decode [0 1 0 1 0 1]
/ImageMatrix [{across} 0 0 -{down} 0 {down}]
/DataSource currentfile /ASCII85Decode filter /FlateDecode filter >> image
"""


def _postscript(size: tuple[int, int], pixels: bytes, dpi: float) -> bytes:
    """A picture as an encapsulated PostScript file; a point is a 72nd of an inch."""
    across, down = size
    width, height = (72.0 * count / dpi for count in size)
    head = _POSTSCRIPT.format(
        right=math.ceil(width),
        top=math.ceil(height),
        width=width,
        height=height,
        across=across,
        down=down,
    )
    data = base64.a85encode(zlib.compress(pixels), wrapcol=76)
    return head.encode() + data + b"\n~>\ngrestore showpage\n%%EOF\n"


def _target_and_rest(
    args: tuple[Value, ...], current: GraphicsObject
) -> tuple[GraphicsObject, list[Value]]:
    if args and isinstance(args[0], GraphicsObject):
        return args[0], list(args[1:])
    return current, list(args)


@builtin(
    "print",
    category=PLOT,
    signatures=("print(filename,'-dpng','-r300')", "print -dpdf filename"),
    cases=("plot(1:3); print('a.png', '-dpng'); isfile('a.png')",),
    see=("saveas",),
)
def print_figure(ctx: CallContext, *args: Value) -> None:
    """Write the current figure to a PNG, JPEG, TIFF, BMP, SVG, PDF or EPS file."""
    target, rest = _target_and_rest(args, figures(ctx).gcf())
    words = [plain_text(word) for word in rest if is_text(word)]
    dpi, ending, name = 150.0, "", ""
    for word in words:
        if word.startswith("-r") and word[2:].isdigit():
            dpi = float(word[2:]) or SCREEN_DPI
        elif word in _DEVICES or word.startswith("-djpeg"):  # -djpeg90: a quality
            ending = _DEVICES.get(word, ".jpg")
        elif word.startswith("-d"):
            raise MatlabError(
                "MATLAB:print:InvalidDeviceOption",
                f"'{word}' is not a device. Use one of {', '.join(sorted(_DEVICES))}.",
            )
        elif not word.startswith("-"):
            name = word
    if not name:
        raise MatlabError("MATLAB:print:NoPrinter", "There is no printer. Give a file name.")
    path = Path(name)
    if path.suffix.lower() not in WRITABLE:
        path = path.with_name(path.name + (ending or ".png"))
    write_figure(target, path, dpi)


@builtin(
    "saveas",
    category=PLOT,
    signatures=("saveas(fig,filename)", "saveas(fig,filename,fmt)"),
    cases=("plot(1:3); saveas(gcf, 'a.png'); isfile('a.png')",),
    see=("print", "exportgraphics"),
)
def saveas(ctx: CallContext, target: Value, filename: Value, form: Value = "") -> None:
    """Write a figure to a file; the file's ending (or a format) says which kind."""
    path = Path(plain_text(filename))
    word = plain_text(form).lower()
    if word == "fig" or path.suffix.lower() == ".fig":
        ctx.call("savefig", (target, str(path)), 0)
        return
    if word and word not in _FORMATS:
        raise MatlabError(
            "MATLAB:saveas:badFormat",
            f"'{word}' is not a format for figures. Use one of {', '.join(sorted(_FORMATS))}.",
        )
    if word and path.suffix.lower() != _FORMATS[word]:
        path = path.with_name(path.name + _FORMATS[word])
    if not path.suffix:
        path = path.with_suffix(".png")
    write_figure(shown_object(ctx, target), path, 150.0)


def shown_object(ctx: CallContext, value: Value) -> GraphicsObject:
    """The object, or the figure of a number."""
    if isinstance(value, GraphicsObject):
        return value
    found = figures(ctx).figure_numbered(int(number_of(value)))
    if found is None:
        raise MatlabError("MATLAB:saveas:invalidHandle", "Invalid handle.")
    return found


EXPORT_OPTIONS = "Resolution ContentType BackgroundColor Colorspace"


@builtin(
    "exportgraphics",
    category=PLOT,
    signatures=(
        "exportgraphics(obj,filename)",
        "exportgraphics(...,'Resolution',dpi,'ContentType',type,'BackgroundColor',color)",
    ),
    cases=("plot(1:3); exportgraphics(gca, 'a.png'); isfile('a.png')",),
    see=("print", "saveas"),
)
def exportgraphics(ctx: CallContext, target: Value, filename: Value, *args: Value) -> None:
    """Write a figure or one of its axes to a picture, SVG or PDF file."""
    given = option_pairs("exportgraphics", args, EXPORT_OPTIONS)
    path, shown = Path(plain_text(filename)), shown_object(ctx, target)
    kind = one_of(
        "exportgraphics", "ContentType", given.get("contenttype", "auto"), "auto image vector"
    )
    if kind == "vector" and path.suffix.lower() not in (".pdf", ".svg"):
        text = "Vector graphics are written to PDF and SVG files: choose one of them, or 'auto'."
        raise MatlabError("MATLAB:exportgraphics:VectorFormat", text)
    if kind == "image" and path.suffix.lower() in (".pdf", ".svg"):
        text = "PDF and SVG files are written as vector graphics here: choose 'vector' or 'auto'."
        raise MatlabError("MATLAB:exportgraphics:ImageFormat", text)
    write_as_asked("exportgraphics", shown, path, given)


def write_as_asked(
    name: str, shown: GraphicsObject, path: Path, given: Mapping[str, Value]
) -> None:
    """Write a figure with the resolution and the ground that were given."""
    one_of(name, "Colorspace", given.get("colorspace", "rgb"), "rgb")
    figure = shown.ancestor("figure") or shown
    before = figure["Color"]
    color = given.get("backgroundcolor", "current")
    try:
        if not (is_text(color) and plain_text(color).lower() == "current"):
            figure.set("Color", color)
        write_figure(shown, path, number_of(given.get("resolution", 150.0)))
    finally:
        figure["Color"] = before
