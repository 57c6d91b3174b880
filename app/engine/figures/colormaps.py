"""Colour maps: tables of RGB rows made from anchors, a formula or a published table."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.engine.figures.colors import COLOR_ORDER
from app.engine.figures.properties import is_text, plain_text
from app.engine.values import Array, Value, as_array
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.figures.objects import GraphicsObject

Table = NDArray[np.float64]
DEFAULT_SIZE = 256

# Blue to yellow with steadily rising lightness: the default. The name is the one scripts
# use; the colours are our own.
_PARULA = (
    "#30209e",
    "#3d3fd6",
    "#3a62ec",
    "#2a83ea",
    "#149fd6",
    "#0ab3ba",
    "#2fc197",
    "#6cc96c",
    "#abc84a",
    "#dcc142",
    "#fac73c",
    "#f8de31",
    "#f7f51e",
)


def _from_anchors(anchors: tuple[str, ...], size: int) -> Table:
    """A table of ``size`` rows through evenly spaced anchors."""
    codes = np.array([[int(code[i : i + 2], 16) for i in (1, 3, 5)] for code in anchors]) / 255
    places = np.linspace(0, 1, len(anchors))
    wanted = np.linspace(0, 1, size)
    return np.column_stack([np.interp(wanted, places, codes[:, i]) for i in range(3)])


def _piecewise(size: int, *channels: tuple[tuple[float, float], ...]) -> Table:
    """A table whose channels are piecewise linear through (place, level) points."""
    wanted = np.linspace(0, 1, size)
    points = [np.array(channel) for channel in channels]
    return np.column_stack([np.interp(wanted, p[:, 0], p[:, 1]) for p in points])


def _map_of_anchors(anchors: tuple[str, ...]) -> Callable[[int], Table]:
    return lambda size: _from_anchors(anchors, size)


@lru_cache
def _published_rows(name: str) -> Table:
    """The 256 rows of a map as its authors published it; pyqtgraph carries the tables.

    Only the file is read: nothing of the package is imported.
    """
    package = find_spec("pyqtgraph")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("pyqtgraph, which carries the table of colours, is missing")
    path = Path(package.origin).parent / "colors" / "maps" / f"{name}.csv"
    return np.loadtxt(path, delimiter=",", comments=";")


def _published_map(name: str) -> Callable[[int], Table]:
    """Rows of a published table, interpolated linearly where another number is wanted."""

    def made(size: int) -> Table:
        rows = _published_rows(name)
        wanted, places = np.linspace(0, len(rows) - 1, size), np.arange(len(rows))
        return np.column_stack([np.interp(wanted, places, channel) for channel in rows.T])

    return made


def _pieces(*channels: tuple[tuple[float, float], ...]) -> Callable[[int], Table]:
    return lambda size: _piecewise(size, *channels)


def _jet(size: int) -> Table:
    """Dark blue, cyan, yellow, dark red: one wave of ``size / 4`` steps up, shifted per channel."""
    quarter = -(-size // 4)
    rise = np.arange(1, quarter + 1) / quarter
    wave = np.concatenate([rise, np.ones(quarter - 1), rise[::-1]])
    green = -(-quarter // 2) - (size % 4 == 1) + np.arange(len(wave))
    table = np.zeros((size, 3))
    for channel, rows in enumerate((green + quarter, green, green - quarter)):
        inside = (rows >= 0) & (rows < size)
        table[rows[inside], channel] = wave[inside]
    return table


def _hot(size: int) -> Table:
    """Black, red, yellow, white: red and green rise in 3/8 of the rows each, blue in the rest."""
    part = 3 * size // 8
    rows = np.arange(1, size + 1)
    red = rows / max(part, 1)
    green = (rows - part) / max(part, 1)
    blue = (rows - 2 * part) / max(size - 2 * part, 1)
    if part == 0:
        red, green = np.ones(size), np.ones(size)
    return np.column_stack([red, green, blue]).clip(0, 1)


def _hsv(size: int) -> Table:
    """All hues once around."""
    hue = np.arange(size)[:, None] / max(size, 1) * 6
    offsets = np.array([[3.0, 2.0, 4.0]])
    waves = np.abs(hue - offsets)
    levels = np.column_stack([waves[:, 0] - 1, 2 - waves[:, 1], 2 - waves[:, 2]])
    return levels.clip(0, 1).astype(np.float64)


def _repeating_map(*codes: tuple[float, ...]) -> Callable[[int], Table]:
    """Colours over and over."""
    table = np.array(codes, dtype=np.float64)
    return lambda size: table[np.arange(size) % len(table)]


_UP, _DOWN, _ONE = ((0.0, 0.0), (1.0, 1.0)), ((0.0, 1.0), (1.0, 0.0)), ((0.0, 1.0), (1.0, 1.0))


def _pink(size: int) -> Table:
    """Pastel tones: the root of grey mixed with hot."""
    return np.sqrt((2 * MAPS["gray"](size) + MAPS["hot"](size)) / 3)


def _cube(size: int) -> Table:
    """Colours evenly spread over the cube of colours, then red, green, blue and grey ramps."""
    steps = max(2, round((size * 0.75) ** (1 / 3)))
    levels = np.linspace(0, 1, steps)
    blue, green, red = (
        part.reshape(-1) for part in np.meshgrid(levels, levels, levels, indexing="ij")
    )
    cube = np.column_stack([red, green, blue])[:size]
    ramp = np.linspace(0, 1, max(0, size - len(cube)))[:, None] * np.ones((1, 3))
    return np.concatenate([cube, ramp])


MAPS: dict[str, Callable[[int], Table]] = {
    "parula": _map_of_anchors(_PARULA),
    "viridis": _published_map("viridis"),
    "turbo": _published_map("turbo"),
    "jet": _jet,
    "hsv": _hsv,
    "hot": _hot,
    "cool": _pieces(_UP, _DOWN, _ONE),
    "spring": _pieces(_ONE, _UP, _DOWN),
    "summer": _pieces(_UP, ((0.0, 0.5), (1.0, 1.0)), ((0.0, 0.4), (1.0, 0.4))),
    "autumn": _pieces(_ONE, _UP, ((0.0, 0.0), (1.0, 0.0))),
    "winter": _pieces(((0.0, 0.0), (1.0, 0.0)), _UP, ((0.0, 1.0), (1.0, 0.5))),
    "gray": _pieces(_UP, _UP, _UP),
    "grey": _pieces(_UP, _UP, _UP),
    "bone": lambda size: (7 * MAPS["gray"](size) + _hot(size)[:, ::-1]) / 8,
    "copper": _pieces(
        ((0.0, 0.0), (0.8, 1.0), (1.0, 1.0)),
        ((0.0, 0.0), (1.0, 0.7812)),
        ((0.0, 0.0), (1.0, 0.4975)),
    ),
    "pink": _pink,
    "lines": _repeating_map(*COLOR_ORDER),
    "prism": _repeating_map(
        (1, 0, 0),
        (1, 0.5, 0),
        (1, 1, 0),
        (0, 1, 0),
        (0, 0, 1),
        (2 / 3, 0, 1),
    ),
    "flag": _repeating_map((1, 0, 0), (1, 1, 1), (0, 0, 1), (0, 0, 0)),
    "white": _pieces(_ONE, _ONE, _ONE),
    "colorcube": _cube,
    "sky": _map_of_anchors(("#e6f4ff", "#8fcbf7", "#3aa0e6", "#0072bd")),
    "abyss": _map_of_anchors(("#060b1f", "#122c66", "#1c5aa8", "#3f94c9", "#9fd0e0")),
    "nebula": _map_of_anchors(("#e23bb4", "#8b4bd8", "#2f5fc9", "#1f86a8", "#2aa37a")),
}
"""Every colour map by name: size → table."""


def colormap(name: str, size: int = DEFAULT_SIZE) -> Table:
    """The map called ``name`` with ``size`` rows; KeyError for an unknown name."""
    if size <= 0:
        return np.zeros((0, 3))
    return MAPS["parula" if name == "default" else name](size)


def color_bytes(table: NDArray[Any]) -> NDArray[np.uint8]:
    """A table as rows of red, green, blue, 255: what images are painted with."""
    rgb = np.floor(np.clip(np.asarray(table, dtype=np.float64), 0, 1) * 255 + 0.5)
    return np.column_stack([rgb, np.full(len(rgb), 255.0)]).astype(np.uint8)


def resolved_colormap(item: GraphicsObject) -> Array:
    """The colour map axes use: their own or their figure's."""
    for node in item.ancestors():
        if node.has("Colormap") and node["Colormap"] is not None:
            return node["Colormap"]  # type: ignore[no-any-return]
    return colormap("parula")


def colormap_table(value: Value, current: Array) -> Array:
    """The table that ``colormap(value)`` means; keeps the current length for a name."""
    if not is_text(value):
        table = as_array(value).astype(np.float64)
        if table.ndim != 2 or table.shape[1] != 3:
            raise MatlabError(
                "MATLAB:colormap:InvalidInputs", "Colormap must have 3 columns: [R,G,B]."
            )
        return table
    name, _, count = plain_text(value).lower().rstrip(")").partition("(")
    if count.isdigit():
        return colormap(name, int(count))
    if name != "default" and name not in MAPS:
        raise MatlabError(
            "MATLAB:colormap:UnknownColormapName",
            f"Unknown colormap name '{name}'. Names are: {', '.join(sorted(MAPS))}.",
        )
    return colormap(name, len(current))
