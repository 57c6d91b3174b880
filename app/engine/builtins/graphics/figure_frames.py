"""Pictures of figures: getframe, frames as images, movies."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.export import write_figure
from app.engine.builtins.graphics.lines import drawn
from app.engine.builtins.graphics.plotting_support import PLOT, figures, is_handle
from app.engine.declarations.registry import builtin
from app.engine.figures.properties import number_of
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
)
from app.errors import MatlabError

SCREEN_DPI = 96.0


@builtin(
    "getframe",
    category=PLOT,
    signatures=("F = getframe", "F = getframe(ax)"),
    cases=("plot(1:3); f = getframe; isfield(f, 'cdata')",),
    see=("frame2im", "movie"),
)
def getframe(ctx: CallContext, target: Value = None, *_place: Value) -> Value:
    """A picture of the current axes (or a figure) as a struct with cdata and colormap."""
    from PIL import Image

    item = target if is_handle(target, "axes", "figure") else figures(ctx).gca()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "frame.png")
        write_figure(item, path, SCREEN_DPI)
        with Image.open(path) as picture:
            pixels = np.asfortranarray(np.array(picture.convert("RGB")))
    return Struct({"cdata": canonical(pixels), "colormap": EMPTY})


@builtin(
    "frame2im",
    category=PLOT,
    signatures=("[X,map] = frame2im(F)",),
    cases=("[x, map] = frame2im(im2frame(uint8(ones(2, 2, 3)))); isequal(size(x), [2 2 3])",),
    see=("getframe",),
)
def frame2im(ctx: CallContext, frame: Value) -> tuple[Value, ...]:
    """The image in a frame."""
    if not isinstance(frame, Struct) or "cdata" not in frame.fields:
        raise MatlabError("MATLAB:frame2im:InvalidFrame", "The input must be a frame.")
    return frame.fields["cdata"], frame.fields.get("colormap", EMPTY)


@builtin(
    "im2frame",
    words="",
    category=PLOT,
    signatures=("F = im2frame(X,map)",),
    cases=("f = im2frame(uint8(zeros(2, 2, 3))); isequal(size(f.cdata), [2 2 3])",),
    see=("frame2im",),
)
def im2frame(ctx: CallContext, image: Value, table: Value = None) -> Value:
    """A frame of an image."""
    return Struct({"cdata": image, "colormap": EMPTY if table is None else table})


def _frames(movie: Value) -> list[Array]:
    if not isinstance(movie, Struct | StructArray) or "cdata" not in movie.fields:
        raise MatlabError("MATLAB:movie:InvalidFrames", "A movie is a struct array of frames.")
    if isinstance(movie, StructArray):
        return [as_array(v) for v in movie.fields["cdata"].reshape(-1, order="F")]
    return [as_array(movie.fields["cdata"])]


@builtin(
    "movie",
    category=PLOT,
    signatures=("movie(F,n,fps)",),
    cases=("plot(1:3); f = getframe; movie(f); isgraphics(gca)",),
    see=("getframe",),
)
def movie(ctx: CallContext, frames: Value, times: Value = 1.0, rate: Value = 12.0) -> None:
    """Show frames one after the other in the current figure."""
    model = figures(ctx)
    shown = drawn(ctx, "image", (_frames(frames)[0],))
    model.gca().values.update(Visible=False, DataAspectRatioMode="manual")
    for _round in range(max(1, int(abs(as_array(times).flat[0])))):
        for picture in _frames(frames):
            if not shown.alive:
                return
            shown.set("CData", picture)
            model.flush()
            model.inputs.serve()
            if model.emit is not None:
                time.sleep(1 / max(number_of(rate), 1.0))
