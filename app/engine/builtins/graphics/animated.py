"""Lines that grow: by addpoints, or as comets."""

from __future__ import annotations

import time

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    is_handle,
    new_series,
    options_of,
    split_axes,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.figure_data import HostData, ResidentData, SeriesData
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject, items_of
from app.engine.figures.properties import is_text
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import Array, DeviceArray, Value, as_array, numel
from app.errors import MatlabError


@builtin(
    "animatedline",
    category=PLOT,
    signatures=("h = animatedline(X,Y,Name,Value)",),
    device=CONTAINER,
    cases=("h = animatedline('Color', 'r'); addpoints(h, 1, 2); isgraphics(h)",),
    see=("addpoints", "drawnow"),
)
def animatedline(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Make a line that grows by addpoints."""
    axes, rest = split_axes(ctx, args)
    empty = HostData(np.zeros((1, 0)))
    kept = {"XData": empty, "YData": empty, "Color": (0.0, 0.0, 0.0)}
    made = new_series(ctx, axes, "animatedline", kept)
    count = first_text(rest)
    if count >= 2:
        _grow(made, rest[:count])
    apply_options(made, options_of(rest[count:]))
    return result([made], nargout)


def _grow(item: GraphicsObject, coordinates: list[Value]) -> None:
    """Append points, and forget the oldest beyond the limit."""
    most = item["MaximumNumPoints"]
    for letter, value in zip("XYZ", coordinates, strict=False):
        if type(value) is DeviceArray or isinstance(item[f"{letter}Data"], ResidentData):
            item[f"{letter}Data"] = _appended_there(item, letter, value)
            continue
        new = as_array(value).astype(np.float64).reshape(-1)
        found = _extended_numbers(item, letter, new)
        keep = len(found) if most == float("inf") else min(int(most), len(found))
        item[f"{letter}Data"] = HostData(found[None, len(found) - keep :])


def _appended_there(item: GraphicsObject, letter: str, value: Value) -> SeriesData:
    """The same where the new numbers, or the old ones, are on the device."""
    geometry = Geometry(item.owner.inputs.context)
    old, new = item[f"{letter}Data"], geometry.column(value)
    if old is not None and old.size:
        new = geometry("vertcat", geometry.column(old.value()), new)
    surplus = numel(new) - item["MaximumNumPoints"]
    if surplus > 0:
        new = paren(new, geometry("colon", surplus + 1.0, float(numel(new))))
    return geometry.data(new)[0]


def _extended_numbers(item: GraphicsObject, letter: str, new: Array) -> Array:
    """The numbers of an animated line with new ones behind them.

    They are in a buffer with room to grow: what was handed out before is never changed."""
    kept = item[f"{letter}Data"]
    old = np.zeros(0) if kept is None else kept.host().reshape(-1)
    room = item.values.get(f"Room{letter}", (np.zeros(0), 0, 0))
    end = room[1]
    own = room[2] == item.serial and 0 < len(old) <= end
    if not own or end + len(new) > len(room[0]) or not np.shares_memory(old, room[0]):
        buffer = np.empty(max(64, 2 * (len(old) + len(new))))
        buffer[: len(old)] = old
        start, end = 0, len(old)
    else:
        buffer, start = room[0], end - len(old)
    buffer[end : end + len(new)] = new
    item.values[f"Room{letter}"] = buffer, end + len(new), item.serial
    return buffer[start : end + len(new)]


@builtin(
    "addpoints",
    words="",
    category=PLOT,
    signatures=("addpoints(h,x,y)", "addpoints(h,x,y,z)"),
    device=CONTAINER,
    cases=("h = animatedline; addpoints(h, 1:3, 4:6); [x, y] = getpoints(h); isequal(y, 4:6)",),
    see=("animatedline", "clearpoints"),
)
def addpoints(ctx: CallContext, item: Value, *coordinates: Value) -> None:
    """Append points to an animated line."""
    _grow(_checked_line(item), list(coordinates))


def _checked_line(item: Value) -> GraphicsObject:
    if not is_handle(item, "animatedline"):
        raise MatlabError("MATLAB:hg:InvalidHandle", "Invalid or deleted object.")
    return item


@builtin(
    "clearpoints",
    category=PLOT,
    signatures=("clearpoints(h)",),
    cases=("h = animatedline; addpoints(h, 1, 2); clearpoints(h); isempty(getpoints(h))",),
    see=("animatedline",),
)
def clearpoints(ctx: CallContext, item: Value) -> None:
    """Remove all points of an animated line."""
    empty = HostData(np.zeros((1, 0)))
    line = _checked_line(item)
    line["XData"] = line["YData"] = empty


@builtin(
    "getpoints",
    category=PLOT,
    signatures=("[x,y] = getpoints(h)",),
    cases=("h = animatedline; addpoints(h, 1:2, 3:4); [x, y] = getpoints(h); isequal(x, 1:2)",),
    see=("animatedline",),
)
def getpoints(ctx: CallContext, item: Value) -> tuple[Value, ...]:
    """The points of an animated line."""
    line = _checked_line(item)
    return line.get("XData"), line.get("YData")


@builtin(
    "comet",
    words="",
    category=PLOT,
    signatures=("comet(X,Y)",),
    device=CONTAINER,
    cases=("comet(1:5, 1:5); ~isempty(get(gca, 'Children'))",),
    see=("comet3",),
)
def comet(ctx: CallContext, *args: Value) -> None:
    """Draw a line as plot does, growing from its beginning where somebody watches."""
    numbers = [value for value in args if not is_text(value)]
    data = numbers[:2] if len(numbers) < 3 else numbers[:-1]
    for made in items_of(ctx.call("plot", tuple(data), 1)[0]):
        fly(ctx, made)


@builtin(
    "comet3",
    category=PLOT,
    signatures=("comet3(X,Y,Z)",),
    device=CONTAINER,
    cases=("comet3(1:5, 1:5, 1:5); ~isempty(get(gca, 'Children'))",),
    see=("comet",),
)
def comet3(ctx: CallContext, *args: Value) -> None:
    """Draw a line in space, growing from its beginning where somebody watches."""
    for made in items_of(ctx.call("plot3", args, 1)[0]):
        fly(ctx, made)


def fly(ctx: CallContext, item: GraphicsObject) -> None:
    """Let a line grow from its beginning to its end in about a second, where there is a window."""
    model = figures(ctx)
    if model.emit is None:
        return
    whole = {
        f"{letter}Data": item[f"{letter}Data"]
        for letter in "XYZ"
        if item[f"{letter}Data"] is not None
    }
    axes = item.parent
    if axes is not None:  # the frame stands still while the line grows
        for letter in "XYZ"[: len(whole)]:
            axes.set(f"{letter}Lim", axes.get(f"{letter}Lim"))
    count = whole["YData"].size
    for stop in np.unique(np.linspace(1, count, min(count, 60)).astype(int)).tolist():
        if not item.alive:
            return
        for name, data in whole.items():
            item[name] = data.first(stop)
        model.flush()
        model.inputs.serve()
        time.sleep(1 / 60)
    item.values.update(whole)
    item.touch()
