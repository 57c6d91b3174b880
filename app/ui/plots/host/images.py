"""Images, flat surfaces and contours on the host."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.ui.plots.host.brush import Brush, palette_rows, polyline
from app.ui.plots.host.contour_labels import Labels
from app.ui.plots.paint_support import sharpness_of
from app.ui.plots.series_arrays import Array, Exported, count_of, flat, host_array
from app.ui.plots.style import line_pen

Pair = tuple[float, float]


def _places(ends: Pair, count: int, edges: Pair, pixels: int) -> Array:
    """Which row or column of an image each pixel shows; -1 outside."""
    first, last = ends
    pitch = (last - first) / (count - 1) if count > 1 else 1.0
    centres = edges[0] + (np.arange(pixels) + 0.5) * (edges[1] - edges[0]) / pixels
    found = np.floor((centres - first) / pitch + 0.5)
    return np.where((found >= 0) & (found < count), found, -1).astype(np.intp)


def image_pixels(
    series: Exported, axes: Exported, edges: tuple[Pair, Pair], size: tuple[int, int]
) -> Array:
    """The picture of an image over a window: rows of premultiplied red, green, blue, alpha.

    An element that covers many pixels is given its colour once.
    """
    values = host_array(series["CData"])
    columns = _places(series["columns"], values.shape[1], edges[0], size[0])
    rows = _places(series["rows"], values.shape[0], edges[1], size[1])
    used_rows, row_of = np.unique(np.maximum(rows, 0), return_inverse=True)
    used_columns, column_of = np.unique(np.maximum(columns, 0), return_inverse=True)
    used = np.ix_(used_rows, used_columns)
    part = values[used]
    shown = _true_color(part) if part.ndim == 3 else _mapped_colours(series, axes, part)
    alpha = series["AlphaData"]
    if alpha is not None and count_of(alpha) == values.shape[0] * values.shape[1] > 1:
        picked = host_array(alpha)[used]
        scale, shift = series["alpha_map"]
        opacity = np.clip(np.nan_to_num(picked.astype(np.float64)) * scale + shift, 0, 1)
        shown = np.floor(shown * opacity[:, :, None] + 0.5).astype(np.uint8)
    shown = shown[np.ix_(row_of, column_of)]
    shown[rows < 0] = 0
    shown[:, columns < 0] = 0
    return np.ascontiguousarray(shown)


def _true_color(part: Array) -> Array:
    """Colours given as such."""
    if part.dtype.kind in "iu":
        levels = part.astype(np.float64) / float(np.iinfo(part.dtype).max)
    else:
        levels = np.nan_to_num(part.astype(np.float64))
    made = np.full((*part.shape[:2], 4), 255, dtype=np.uint8)
    made[:, :, :3] = np.floor(np.clip(levels, 0, 1) * 255 + 0.5)
    return made


def _mapped_colours(series: Exported, axes: Exported, part: Array) -> Array:
    palette, limits = axes["colormap"], axes["CLim"]
    numbers = part.astype(np.float64)
    if series["CDataMapping"] == "direct":
        first = 0.0 if part.dtype.kind in "iub" else 1.0
        limits = first, first + len(palette)
    return palette_rows(numbers, palette, limits)


def draw_image(brush: Brush, series: Exported) -> None:
    """An image by its nearest pixels."""
    window = brush.window
    ratio = sharpness_of(brush.painter)
    size = round(window.width * ratio), round(window.height * ratio)
    edges = (window.left, window.right), (window.top, window.bottom)
    shown = image_pixels(series, brush.axes, edges, size)
    picture = QImage(shown.data, *size, 4 * size[0], QImage.Format.Format_RGBA8888_Premultiplied)
    alpha = flat(series["AlphaData"])
    brush.painter.save()
    if alpha.size == 1:
        brush.painter.setOpacity(float(alpha[0]))
    brush.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    brush.painter.drawImage(QRectF(0, 0, window.width, window.height), picture)
    brush.painter.restore()


# --- flat surfaces ------------------------------------------------------------------------


def grid_points(series: Exported) -> tuple[Array, Array, Array]:
    """X, Y and Z of a surface, all as matrices."""
    z = host_array(series["ZData"]).astype(np.float64)
    x, y = (host_array(series[name]).astype(np.float64) for name in ("XData", "YData"))
    full_x = x if x.shape == z.shape else np.broadcast_to(x.reshape(1, -1), z.shape)
    full_y = y if y.shape == z.shape else np.broadcast_to(y.reshape(-1, 1), z.shape)
    return full_x, full_y, z


def by_cell(grid: Array, *, blended: bool) -> Array:
    """A number per cell of a grid of points, in a row: that of its first corner, or blended."""
    if not blended:
        return grid[:-1, :-1].reshape(-1)
    middles: Array = (grid[:-1, :-1] + grid[:-1, 1:] + grid[1:, 1:] + grid[1:, :-1]) / 4
    return middles.reshape(-1)


def cell_colors(brush: Brush, series: Exported, values: Array) -> Array:
    """Red, green, blue, alpha per cell of a surface, from 0 to 255.

    Args:
        brush: knows the colour map.
        series: the surface.
        values: a number, or red, green and blue, for each of its points.
    """
    if series["FaceColor"] not in ("flat", "interp", "none", "texturemap"):
        count = (values.shape[0] - 1) * (values.shape[1] - 1)
        return np.tile(np.array(brush.color(series["FaceColor"]).getRgb(), np.uint8), (count, 1))
    if values.ndim == 3:
        cells = values[:-1, :-1].reshape(-1, 3) * 255
        return np.column_stack([cells, np.full(len(cells), 255)]).astype(np.uint8)
    return brush.mapped(by_cell(values, blended=series["FaceColor"] == "interp"))


def cell_opacities(kept: float | str, opacities: Array | None, points: tuple[int, ...]) -> Array:
    """The opacity of every cell of a surface.

    Args:
        kept: the property: a number for all, or the word that follows the alpha data.
        opacities: of its points, or of others, which then count for nothing.
        points: rows and columns of its points.
    """
    if isinstance(kept, str) and opacities is not None and opacities.shape == points:
        return by_cell(opacities, blended=kept == "interp")
    whole = 1.0 if isinstance(kept, str) else kept
    return np.full((points[0] - 1) * (points[1] - 1), whole)


def draw_flat_surface(brush: Brush, series: Exported) -> None:
    """A surface seen from above: a quadrilateral per cell, or blended colours."""
    x, y, z = grid_points(series)
    values = z if series["CData"] is None else host_array(series["CData"]).astype(np.float64)
    inside = cell_opacities(series["FaceAlpha"], series["opacities"], z.shape)
    edges = cell_opacities(series["EdgeAlpha"], series["opacities"], z.shape)
    even = values.ndim == 2 and _is_even(x, y) and (inside == 1).all()
    if series["FaceColor"] == "interp" and even:
        heights = _pixel_heights(brush, x, y, values)
        _paint_pixels(brush, palette_rows(heights, brush.axes["colormap"], brush.axes["CLim"]))
        return
    across, down = brush.data_x(x), brush.data_y(y)
    colors = cell_colors(brush, series, values)
    rim = _cell_rim(brush, series, across)
    ink, lined = rim.color(), rim.style() != Qt.PenStyle.NoPen
    filled = series["FaceColor"] != "none"
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing, lined)
    corners = [
        (slice(None, -1), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(1, None), slice(1, None)),
        (slice(1, None), slice(None, -1)),
    ]
    xs = np.stack([across[c].reshape(-1) for c in corners], axis=1)
    ys = np.stack([down[c].reshape(-1) for c in corners], axis=1)
    for cell in range(len(xs)):
        if colors[cell, 3] and np.isfinite(xs[cell]).all() and np.isfinite(ys[cell]).all():
            color = QColor(*map(int, colors[cell]))
            line = QColor(color if series["EdgeColor"] in ("flat", "interp") else ink)
            line.setAlphaF(line.alphaF() * float(edges[cell]))
            rim.setColor(line)
            color.setAlphaF(float(inside[cell]) if filled else 0.0)
            brush.painter.setBrush(color)
            # Lines of its own colour close the gaps between cells that nothing shines through.
            seam = QPen(color, 0.6) if inside[cell] == 1 else QPen(Qt.PenStyle.NoPen)
            brush.painter.setPen(rim if lined else seam)
            brush.painter.drawPolygon(polyline(xs[cell], ys[cell]))


def _is_even(x: Array, y: Array) -> bool:
    """Whether a grid is made of columns and rows that run one way."""
    straight = (x == x[:1]).all() and (y == y[:, :1]).all()
    steps = np.diff(x[0]), np.diff(y[:, 0])
    return bool(straight and all((s > 0).all() or (s < 0).all() for s in steps))


def _cell_rim(brush: Brush, series: Exported, across: Array) -> QPen:
    """The lines between cells; none where cells are too small to see them."""
    spacing = brush.window.width / max(across.shape[1], 1)
    if series["EdgeColor"] == "none" or spacing < 4:
        return QPen(Qt.PenStyle.NoPen)
    kept = series["EdgeColor"]
    color = QColor(0, 0, 0, 140) if kept == (0.0, 0.0, 0.0) else brush.color(kept)
    return line_pen(color, "-", 0.25)


# --- contours -----------------------------------------------------------------------------


def draw_contour(brush: Brush, series: Exported) -> None:
    """Lines of equal height, with the bands between them filled where wanted."""
    if series["Fill"]:
        _fill_bands(brush, series)
    from app.engine.figures.contours import contour_segments

    x, y, z = grid_points(series)
    labels = Labels(series["LabelSize"])
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for level in series["LevelList"]:
        pieces = contour_segments(x, y, z, level)
        if not len(pieces):
            continue
        kept = series["LineColor"]
        if kept == "none":
            continue
        if kept == "flat":
            row = brush.mapped(np.array([level]))[0]
            color = QColor(*map(int, row))
        else:
            color = QColor(brush.style.frame if kept == (0.0, 0.0, 0.0) else brush.color(kept))
        pen = line_pen(color, series["LineStyle"], series["LineWidth"])
        brush.painter.setPen(pen)
        if series["ShowText"]:
            _named_lines(brush, (x, y, z), level, color, labels)
            continue
        a, b = brush.data_x(pieces[:, :, 0]), brush.data_y(pieces[:, :, 1])
        rows = np.stack([a[:, 0], b[:, 0], a[:, 1], b[:, 1]], axis=1)
        brush.painter.drawLines([QLineF(*row) for row in rows.tolist()])


def _named_lines(
    brush: Brush, grid: tuple[Array, Array, Array], level: float, color: QColor, labels: Labels
) -> None:
    """The lines of a level with its height written on them."""
    from app.engine.figures.contours import contour_lines

    pen = brush.painter.pen()
    for line in contour_lines(*grid, level):
        spots = np.column_stack([brush.data_x(line[:, 0]), brush.data_y(line[:, 1])])
        for part in labels.cut(brush.painter, level, spots, color):
            brush.painter.setPen(pen)
            brush.painter.drawPolyline(polyline(part[:, 0], part[:, 1]))


def _fill_bands(brush: Brush, series: Exported) -> None:
    """Colour every pixel by the band its interpolated height is in."""
    x, y, z = grid_points(series)
    heights = _pixel_heights(brush, x, y, z)
    levels = np.array(series["LevelList"])
    band = np.searchsorted(levels, heights, side="right")
    low, high = brush.axes["CLim"]
    ends = np.concatenate([[min(low, float(np.nanmin(z)))], levels])
    middles = np.where(np.arange(len(ends)) > 0, ends, low)
    colors = palette_rows(middles, brush.axes["colormap"], (low, high))
    shown = np.floor(colors[band] * series["FaceAlpha"] + 0.5).astype(np.uint8)
    shown[~np.isfinite(heights)] = 0
    _paint_pixels(brush, shown)


def _pixel_heights(brush: Brush, x: Array, y: Array, z: Array) -> Array:
    """The height at the middle of every pixel; NaN outside the grid."""
    window = brush.window
    width, height = max(window.width, 1), max(window.height, 1)
    columns = window.left + (np.arange(width) + 0.5) / width * (window.right - window.left)
    rows = window.top + (np.arange(height) + 0.5) / height * (window.bottom - window.top)
    places = 10.0**columns if window.log_x else columns, 10.0**rows if window.log_y else rows
    return _bilinear_heights(x[0], y[:, 0], z, *places)


def _paint_pixels(brush: Brush, colors: Array) -> None:
    """Fill the box with a colour per pixel."""
    shown = np.ascontiguousarray(colors)
    height, width = shown.shape[:2]
    form = QImage.Format.Format_RGBA8888_Premultiplied
    picture = QImage(shown.data, width, height, 4 * width, form)
    brush.painter.drawImage(QRectF(0, 0, width, height), picture)


def _bilinear_heights(x: Array, y: Array, z: Array, across: Array, down: Array) -> Array:
    """Bilinear heights at every pixel; NaN outside the grid."""
    a, fraction_x = _cells(x, across)
    b, fraction_y = _cells(y, down)
    top = z[np.ix_(b, a)] * (1 - fraction_x) + z[np.ix_(b, a + 1)] * fraction_x
    bottom = z[np.ix_(b + 1, a)] * (1 - fraction_x) + z[np.ix_(b + 1, a + 1)] * fraction_x
    found: Array = top * (1 - fraction_y[:, None]) + bottom * fraction_y[:, None]
    return found


def _cells(grid: Array, places: Array) -> tuple[Array, Array]:
    """The cell each place is in, and how far into it; NaN outside."""
    flipped = grid[0] > grid[-1]
    ordered = grid[::-1] if flipped else grid
    cell = np.clip(np.searchsorted(ordered, places, side="right") - 1, 0, len(grid) - 2)
    part = (places - ordered[cell]) / (ordered[cell + 1] - ordered[cell])
    part = np.where((part < -1e-9) | (part > 1 + 1e-9), np.nan, part)
    if flipped:
        return len(grid) - 2 - cell, 1 - part
    return cell, part
