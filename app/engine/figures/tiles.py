"""Tiled layouts: which tile every part of a layout is in, and the place that follows from it."""

from __future__ import annotations

import itertools
import math

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, plain_text, row_value, vector_of
from app.engine.values import EMPTY, Value

Frame = tuple[float, float, float, float]
_BESIDE = {"east": 0.12, "west": 0.12, "north": 0.09, "south": 0.09}
"""The parts of a layout that a legend or colour bar beside all tiles takes."""


def cell_frame(rows: int, columns: int, cells: list[int]) -> Frame:
    """The part of a figure that cells (from 0, row by row) of a grid cover."""
    down = [cell // columns for cell in cells]
    across = [cell % columns for cell in cells]
    left, right = min(across) / columns, (max(across) + 1) / columns
    top, bottom = 1 - min(down) / rows, 1 - (max(down) + 1) / rows
    return left, bottom, right - left, top - bottom


def _tiled_children(layout: GraphicsObject) -> list[tuple[GraphicsObject, int, tuple[int, int]]]:
    """What is in tiles: the axes, first tile (from 0) and span."""
    return [(child, *child.values["Tile"]) for child in layout.children if "Tile" in child.values]


def _cells(start: int, span: tuple[int, int], columns: int) -> list[int]:
    return [start + r * columns + c for r in range(span[0]) for c in range(span[1])]


def free_tile(layout: GraphicsObject, span: tuple[int, int]) -> int:
    """The first tile at which a span of tiles is free."""
    columns = int(layout["GridSize"][1])
    taken = {
        cell
        for _child, start, own in _tiled_children(layout)
        for cell in _cells(start, own, columns)
    }
    flowing = layout["TileArrangement"] != "fixed"
    return next(
        tile
        for tile in itertools.count()
        if not taken & set(_cells(tile, span, columns))
        and (flowing or tile % columns + span[1] <= columns)
    )


def axes_at(layout: GraphicsObject, tile: int) -> GraphicsObject | None:
    """The axes that begin at a tile."""
    return next((child for child, start, _span in _tiled_children(layout) if start == tile), None)


def put(axes: GraphicsObject, tile: int, span: tuple[int, int]) -> None:
    """Put axes into a tile, and give everything its place."""
    axes.values["Tile"] = tile, span
    if axes.parent is not None:
        arrange(axes.parent)


def _grid(layout: GraphicsObject) -> tuple[int, int]:
    """Rows and columns: as asked for, or as many as a flowing layout needs."""
    count = max((start + 1 for _child, start, _span in _tiled_children(layout)), default=1)
    match layout["TileArrangement"]:
        case "vertical":
            return count, 1
        case "horizontal":
            return 1, count
        case "flow":
            columns = math.ceil(math.sqrt(count))
            return math.ceil(count / columns), columns
    rows, columns = (int(number) for number in layout["GridSize"])
    return rows, columns


def arrange(layout: GraphicsObject) -> None:
    """Give every axes of a layout its place, growing a flowing grid as needed."""
    rows, columns = _grid(layout)
    layout["GridSize"] = float(rows), float(columns)
    left, bottom, width, height = _inner(layout)
    for child, start, span in _tiled_children(layout):
        x, y, across, up = cell_frame(rows, columns, _cells(start, span, columns))
        child["OuterPosition"] = (
            left + x * width,
            bottom + y * height,
            across * width,
            up * height,
        )
        child["PositionMode"] = "outer"


def _inner(layout: GraphicsObject) -> Frame:
    """The part of a layout that its tiles share: without what stands beside all of them."""
    beside = {
        part.values["Beside"]
        for child in layout.children
        for part in child.parts.values()
        if "Beside" in part.values
    }
    room = {side: _BESIDE[side] if side in beside else 0.0 for side in _BESIDE}
    return (
        room["west"],
        room["south"],
        1 - room["west"] - room["east"],
        1 - room["south"] - room["north"],
    )


def _place_beside_tiles(part: GraphicsObject, side: str) -> None:
    """Put a legend or a colour bar beside all tiles."""
    part.values["Beside"] = side
    room, thick = _BESIDE[side], 0.03
    if part.kind.name == "colorbar":
        part["Location"] = f"{side}outside"
        place = {
            "east": (1 - room + 0.01, 0.1, thick, 0.8),
            "west": (0.05, 0.1, thick, 0.8),
            "north": (0.1, 1 - room + 0.03, 0.8, thick),
            "south": (0.1, 0.05, 0.8, thick),
        }
        part["Position"] = place[side]
    else:
        part["Location"] = "layout"
        part["Orientation"] = "vertical" if side in ("east", "west") else "horizontal"
    layout = part.ancestor("tiledlayout")
    if layout is not None:
        arrange(layout)
    part.touch()


def place_in_tile(item: GraphicsObject, name: str, value: Value) -> None:
    """``item.Layout.Tile = value`` and ``item.Layout.TileSpan = value``."""
    start, span = item.values.get("Tile", (0, (1, 1)))
    if name.lower() == "tilespan":
        rows, columns = vector_of(value)
        put(item, start, (int(rows), int(columns)))
    elif name.lower() != "tile":
        raise item.unknown(name)
    elif is_text(value):
        _place_beside_tiles(item, plain_text(value).lower())
    else:
        put(item, int(vector_of(value)[0]) - 1, span)


def tile_of(item: GraphicsObject, name: str) -> Value:
    """``item.Layout.Tile`` and ``item.Layout.TileSpan``."""
    start, span = item.values.get("Tile", (0, (1, 1)))
    if name.lower() == "tilespan":
        return row_value((float(span[0]), float(span[1])))
    if name.lower() != "tile":
        raise item.unknown(name)
    side = item.values.get("Beside")
    return side or (start + 1.0 if "Tile" in item.values else EMPTY)
