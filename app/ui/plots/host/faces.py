"""Surfaces and polygons in space: faces of all of them, painted from the back to the front."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.ui.plots.host.blend import fill_blended, vertex_colors
from app.ui.plots.host.brush import Brush, polyline
from app.ui.plots.host.images import cell_colors, cell_opacities, grid_points
from app.ui.plots.host.lighting import Lighting, lighting_of
from app.ui.plots.host.scene import Scene
from app.ui.plots.series_arrays import Array, Exported, flat, host_array, table

BLACK = (0.0, 0.0, 0.0)
MOST_CELLS = 140
"""Surfaces with more rows or columns are drawn with every n-th of them."""


BLENDED = 110
"""Surfaces with blended colours are cut into about this many cells across."""
MOST_STROKES = 4000
"""Lines of more points are painted over the faces."""
NEARER = 0.02
"""How much lines are drawn to the viewer, so that those on a surface are seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """What is painted one by one, the farthest first.

    Attributes:
        depth: how far each one is.
        paint: paints one by its number.
    """

    depth: Array
    paint: Callable[[int], None]


def paint_faces(scene: Scene, series: list[Exported]) -> None:
    """Paint surfaces and polygons with each other, and the lines among them."""
    scene.brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    groups = [_MAKERS[item["kind"]](scene, item) for item in series]
    if not groups:
        return
    depth = np.concatenate([group.depth for group in groups])
    owner = np.repeat(np.arange(len(groups)), [len(group.depth) for group in groups])
    number = np.concatenate([np.arange(len(group.depth)) for group in groups])
    order = np.argsort(-depth, kind="stable")
    for group, own in zip(owner[order].tolist(), number[order].tolist(), strict=True):
        groups[group].paint(own)


def has_faces(series: Exported) -> bool:
    """Whether a series hides what is behind it."""
    return series["kind"] in ("surface", "patch")


def is_among_faces(series: Exported) -> bool:
    """Whether a line is short enough to be painted piece by piece."""
    plain = series["kind"] == "line" and series["Marker"] == "none"
    return plain and flat(series["YData"]).size <= MOST_STROKES


def _strokes(scene: Scene, series: Exported) -> Faces:
    """The pieces of a line."""
    x, y = flat(series["XData"]), flat(series["YData"])
    z = np.zeros(len(y)) if series["ZData"] is None else flat(series["ZData"])
    spots = scene.projection.place(x, y, z)
    pieces = np.stack([spots[:-1], spots[1:]], axis=1)
    pieces = pieces[np.isfinite(pieces).all(axis=(1, 2))]
    if series["LineStyle"] == "none":
        pieces = pieces[:0]
    color, painter = scene.brush.color(series["Color"]), scene.brush.painter

    def paint(number: int) -> None:
        scene.brush.stroke(series, color)
        first, last = pieces[number].tolist()
        painter.drawLine(QLineF(first[0], first[1], last[0], last[1]))

    return Faces(pieces[:, :, 2].mean(axis=1) - NEARER, paint)


# --- surfaces -----------------------------------------------------------------------------


def _thinned_indices(count: int) -> Array:
    """Indices of the rows or columns that are drawn: all, or about MOST_CELLS with both ends."""
    if count <= MOST_CELLS:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, MOST_CELLS).astype(np.intp))


def _rows(scene: Scene, series: Exported) -> Faces:
    """A surface's rows as lines with curtains."""
    x, y, z = grid_points(series)
    floor = min(scene.brush.axes["ZLim"])
    painter = scene.brush.painter
    depth = scene.projection.place(x, y, z)[:, :, 2].mean(axis=1)

    def paint(row: int) -> None:
        spots = scene.projection.place(x[row], y[row], z[row])
        ends = scene.projection.place(x[row, [-1, 0]], y[row, [-1, 0]], np.full(2, floor))
        curtain = np.concatenate([spots, ends])
        painter.setPen(QPen(Qt.PenStyle.NoPen))
        painter.setBrush(scene.brush.style.plot)
        painter.drawPolygon(polyline(curtain[:, 0], curtain[:, 1]))
        colors = scene.brush.mapped((z[row, 1:] + z[row, :-1]) / 2).tolist()
        line = np.concatenate([ends[1:], spots, ends[:1]])
        for a, b, color in zip(
            line[:-1, :2].tolist(),
            line[1:, :2].tolist(),
            [colors[0], *colors, colors[-1]],
            strict=True,
        ):
            painter.setPen(QPen(QColor(*color), 1.2))
            painter.drawLine(QLineF(*a, *b))

    return Faces(depth, paint)


def _surface(scene: Scene, series: Exported) -> Faces:
    if series["MeshStyle"] == "row":
        return _rows(scene, series)
    x, y, z = grid_points(series)
    data = series["CData"]
    values = z if data is None else host_array(data).astype(np.float64)
    opacities = series["opacities"]
    if opacities is not None and opacities.shape != z.shape:
        opacities = None
    if not series["Whole"]:
        pick = np.ix_(_thinned_indices(z.shape[0]), _thinned_indices(z.shape[1]))
        x, y, z, values = x[pick], y[pick], z[pick], values[pick]
        opacities = None if opacities is None else opacities[pick]
    grid = x, y, z
    if series["FaceColor"] == "interp" and series["EdgeColor"] == "none" and values.ndim == 2:
        x, y, z, values = (_finer(part) for part in (x, y, z, values))
        opacities = None if opacities is None else _finer(opacities)
    colors = inks = cell_colors(scene.brush, series, values)
    if (
        series["EdgeColor"] == "flat"
        and isinstance(series["FaceColor"], tuple)
        and values.ndim == 2
    ):
        inks = scene.brush.mapped(values[:-1, :-1].reshape(-1))
    spots = scene.projection.place(x, y, z)
    lighting = lighting_of(scene.brush.axes, series, scene.projection)
    if lighting is not None:
        normals = _normals(scene.projection.unit(x, y, z))
        if series["FaceLighting"] in ("gouraud", "phong"):
            normals = _blended_normals(scene, grid, x.shape)
        colors = lighting.lit(colors, normals)
    cells = np.stack([spots[:-1, :-1], spots[:-1, 1:], spots[1:, 1:], spots[1:, :-1]], axis=2)
    cells = cells.reshape(-1, 4, 3)
    keep = np.isfinite(cells).all(axis=(1, 2)) & (colors[:, 3] > 0)
    inside, lines = (
        cell_opacities(series[f"{part}Alpha"], opacities, z.shape) for part in ("Face", "Edge")
    )
    paints = Paints(*(part[keep] for part in (colors, inks, inside, lines)))
    return _cells(scene.brush, series, cells[keep], paints)


def _finer(grid: Array) -> Array:
    """A grid of points with more of them in between, so that colours blend."""
    factor = min(6, max(1, round(BLENDED / max(grid.shape))))
    for axis in (0, 1):
        places = np.linspace(0, grid.shape[axis] - 1, factor * (grid.shape[axis] - 1) + 1)
        first = np.minimum(places.astype(np.intp), max(grid.shape[axis] - 2, 0))
        part = np.expand_dims(places - first, 1 - axis)
        grid = grid.take(first, axis) * (1 - part) + grid.take(first + 1, axis) * part
    return grid


def _normals(places: Array) -> Array:
    """The normal of every cell of a grid of points."""
    across = places[1:, 1:] - places[:-1, :-1]
    found: Array = np.nan_to_num(np.cross(across, places[:-1, 1:] - places[1:, :-1]))
    return found.reshape(-1, 3)


def _blended_normals(scene: Scene, grid: tuple[Array, ...], shape: tuple[int, ...]) -> Array:
    """The normals of a round surface in the middle of every cell: those of its points, blended."""
    places = scene.projection.unit(*grid)
    normals = np.nan_to_num(np.cross(np.gradient(places, axis=1), np.gradient(places, axis=0)))
    if np.allclose(places[:, 0], places[:, -1]):  # it closes: both ends are the same place
        normals[:, 0] = normals[:, -1] = normals[:, 0] + normals[:, -1]
    finer = (
        normals
        if normals.shape[:2] == shape
        else np.stack([_finer(normals[:, :, k]) for k in range(3)], axis=-1)
    )
    middle = finer[1:, 1:] + finer[:-1, :-1] + finer[1:, :-1] + finer[:-1, 1:]
    found: Array = middle.reshape(-1, 3)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Paints:
    """What cells are painted with; an element, or a row of four from 0 to 255, for each.

    Attributes:
        faces: the colours inside.
        edges: the colours of lines that follow the numbers.
        face_opacities: from 0 to 1.
        edge_opacities: from 0 to 1.
    """

    faces: Array
    edges: Array
    face_opacities: Array
    edge_opacities: Array


def _cells(brush: Brush, series: Exported, cells: Array, paints: Paints) -> Faces:
    painter = brush.painter
    face, edge = series["FaceColor"], series["EdgeColor"]
    dense, filled = len(cells) > 6000, face != "none"

    def paint(number: int) -> None:
        if face == edge == "none":
            return
        # A mesh hides what is behind it, as far as it has an opacity.
        inside = QColor(*paints.faces[number].tolist()) if filled else QColor(brush.style.plot)
        inside.setAlphaF(float(paints.face_opacities[number]))
        painter.setBrush(inside)
        lined = edge == "flat" or (not filled and edge == "interp")
        if edge == "none" or (dense and filled and not lined):
            painter.setPen(QPen(inside, 0.7))
        else:
            own = QColor(*paints.edges[number].tolist()) if lined else _cell_ink(brush, edge)
            own.setAlphaF(own.alphaF() * float(paints.edge_opacities[number]))
            painter.setPen(QPen(own, 1.0 if lined else 0.7))
        painter.drawPolygon(polyline(cells[number, :, 0], cells[number, :, 1]))

    return Faces(cells[:, :, 2].mean(axis=1), paint)


def _cell_ink(brush: Brush, edge: object) -> QColor:
    return QColor(0, 0, 0, 140) if edge == BLACK else QColor(brush.color(edge))


# --- polygons -----------------------------------------------------------------------------


def _patch(scene: Scene, series: Exported) -> Faces:
    from app.ui.plots.host.shapes import patch_colors, patch_rims

    vertices, faces = table(series["Vertices"]), table(series["Faces"])
    if not vertices.size or not faces.size:
        return Faces(np.zeros(0), lambda _number: None)
    z = vertices[:, 2] if vertices.shape[1] > 2 else np.zeros(len(vertices))
    spots = scene.projection.place(vertices[:, 0], vertices[:, 1], z)
    colors = patch_colors(scene.brush, series, len(faces), len(vertices))
    lighting = lighting_of(scene.brush.axes, series, scene.projection)
    blended = None
    if lighting is None:
        blended = vertex_colors(scene.brush, series, len(faces), len(vertices))
    if colors is not None and lighting is not None:
        colors = _lit_faces(scene, series, colors, lighting)
    corners = [face[np.isfinite(face)].astype(np.intp) - 1 for face in faces]
    depth = np.array([spots[corner, 2].mean() for corner in corners])
    # Between faces they are as between the cells of surfaces.
    black = _cell_ink(scene.brush, BLACK) if colors is not None else scene.brush.color(BLACK)
    rims = patch_rims(scene.brush, series, len(vertices), black)
    for rim in rims:
        rim.setWidthF(min(rim.widthF(), 0.8) if series["LineWidth"] <= 0.5 else rim.widthF())
    painter = scene.brush.painter

    def paint(number: int) -> None:
        corner = corners[number]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if blended is not None:
            fill_blended(blended, spots[corner, :2], corner)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(rims[number if len(rims) > 1 else 0])
        if blended is None and colors is not None:
            color = colors[number if len(colors) == len(faces) else int(corner[0]) % len(colors)]
            painter.setBrush(color)
            if series["EdgeColor"] == "none" and color.alpha() == 255:
                painter.setPen(QPen(color, 0.7))  # no gaps between faces
        painter.drawPolygon(polyline(spots[corner, 0], spots[corner, 1]))

    return Faces(depth, paint)


def _lit_faces(
    scene: Scene, series: Exported, colors: list[QColor], lighting: Lighting
) -> list[QColor]:
    """A colour per face, under the lights."""
    vertices, faces = table(series["Vertices"]), table(series["Faces"])
    points = np.zeros((len(vertices), 3))
    points[:, : vertices.shape[1]] = vertices
    places = scene.projection.unit(points[:, 0], points[:, 1], points[:, 2])
    first, second, third = (
        places[np.nan_to_num(faces[:, k], nan=1.0).astype(np.intp) - 1] for k in range(3)
    )
    by_face = len(colors) == len(faces)
    rows = [
        colors[k] if by_face else colors[int(faces[k, 0] - 1) % len(colors)]
        for k in range(len(faces))
    ]
    given = np.array([color.getRgb() for color in rows])
    lit = lighting.lit(given, np.cross(second - first, third - first))
    return [QColor(*map(int, row)) for row in lit]


_MAKERS: dict[str, Callable[[Scene, Exported], Faces]] = {
    "surface": _surface,
    "patch": _patch,
    "line": _strokes,
}
