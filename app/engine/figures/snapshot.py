"""A figure as plain data: what ``FigureUpdated`` carries to the window.

Every object is a dictionary: ``kind``, ``id`` (stable), ``revision`` (grows with every change), its
properties under their MATLAB names and ``children``. Automatic limits are resolved. Series
data is what ``SeriesData.export()`` gives.

``figure``: number, Name, NumberTitle, Color, Position, children (axes, in drawing order,
tiled layouts dissolved; annotations). ``axes`` add ``XLim``, ``YLim``, ``ZLim``, ``CLim``
(resolved), ``colormap`` (rows of red, green, blue, 255), ``frame`` (left, bottom, width, height
of the whole axes with labels, in parts of the figure), ``title``, ``xlabel`` … (text objects or
None), ``legend`` (with ``items``: ids of series), ``colorbar``, ``two_sided`` and ``right`` (ruler
of the right side).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.figures import limits
from app.engine.figures.box_statistics import boxes_of
from app.engine.figures.colormaps import color_bytes, resolved_colormap
from app.engine.figures.computed_properties import bar_colors
from app.engine.figures.contour_places import places
from app.engine.figures.figure_data import HostData, ResidentData, host_table
from app.engine.figures.figure_input import callbacks_set
from app.engine.figures.fitting import fitting_colors, follows_alpha_data
from app.engine.figures.legend_items import legend_items
from app.engine.figures.objects import GraphicsObject, is_polar
from app.engine.figures.opacity import (
    ALPHA_DATA,
    is_default_alphamap,
    linear_opacity,
    opacities,
)
from app.engine.figures.pinned_tips import pinned_tips
from app.engine.figures.placed_coordinates import placed_parts
from app.engine.figures.polar_axes import plane_limits, plane_vertices, polar_snapshot
from app.engine.figures.properties import is_text, lines_of, vector_of
from app.engine.figures.tip_rows import tips_of
from app.engine.figures.transform_groups import drawn_in, moved_points, transform_of
from app.engine.figures.ui_tables import table_texts
from app.engine.figures.units import Frame, normalized_frame, pixels_of, points_of
from app.engine.values import Array

Snapshot = dict[str, Any]
_TEXTS = {
    "title": "Title",
    "subtitle": "Subtitle",
    "xlabel": "XLabel",
    "ylabel": "YLabel",
    "zlabel": "ZLabel",
    "ylabel_right": "YLabel@right",
}
_RULER = (
    "Scale",
    "Dir",
    "Tick",
    "TickMode",
    "TickLabel",
    "TickLabelMode",
    "Color",
    "Grid",
    "TickFormat",
    "Exponent",
    "ExponentMode",
    "Shown",
)
_SKIPPED = frozenset(
    (
        "UserData",
        "ButtonDownFcn",
        "CreateFcn",
        "DeleteFcn",
        "Colormap",
        "XLim",
        "YLim",
        "ZLim",
        "CLim",
        "CurrentPoint",
        "CurrentObject",
        "CurrentCharacter",
        "CurrentKey",
        "BrushData",
    )
)
_AUTO_FRAME_MARGINS = (0.13, 0.11, 0.095, 0.075)


def object_snapshot(item: GraphicsObject) -> Snapshot:
    """The properties of one object."""
    found: Snapshot = {"kind": item.kind.base, "id": item.serial, "revision": item.revision}
    for name, (kind, _default) in item.kind.properties.items():
        if name not in _SKIPPED:
            kept = item[name]
            found[name] = None if kept is None else kind.plain(kept)
    if found.get("FontUnits", "points") != "points":
        found["FontSize"] = points_of(item)
    return found


def series_snapshot(item: GraphicsObject) -> Snapshot:
    """A series, with the ends of an image's pixels resolved and what is derived from its data."""
    found = object_snapshot(item)
    if item.kind.base == "image":
        found["columns"] = limits.image_ends(item, "X")
        found["rows"] = limits.image_ends(item, "Y")
        found |= _image_opacity(item)
    if item.kind.base == "patch" and item.parent is not None and is_polar(item.parent):
        found["Vertices"] = plane_vertices(item.parent, host_table(item["Vertices"]))
    matrix = transform_of(item)
    if matrix is not None and item.kind.base == "patch" and item["Vertices"].size:
        found["Vertices"] = moved_points(matrix, host_table(item["Vertices"]))
    if matrix is not None and item.kind.name == "text":
        place = np.array([[*item["Position"], 0.0, 0.0][:3]])
        found["Position"] = moved_points(matrix, place)[0].tolist()
    if (
        item.kind.name == "contour"
        and item["ShowText"]
        and (isinstance(item["ZData"], ResidentData) or item["ZLocation"] == "levels")
    ):
        found["places"] = places(item)
    if item.kind.name == "bar" and item["FaceColor"] == "flat":
        colors = bar_colors(item)
        found["CData"] = colors if colors.shape[1] == 3 else None
        found["levels"] = colors[:, 0] if colors.shape[1] == 1 else None
    if item.kind.name == "surface":
        fitting = fitting_colors(item)
        if fitting is not item["CData"]:
            found["CData"] = None if fitting is None else fitting.export()
    if item.kind.base in ALPHA_DATA:
        found["opacities"] = opacities(item) if follows_alpha_data(item) else None
    if item.kind.name == "boxchart":
        found["boxes"] = boxes_of(item)
    found["tips"] = tips_of(item)
    found["pinned"] = pinned_tips(item)
    found["brushed"] = _brushed(item)
    for name, data in placed_parts(item).items():
        found[name] = None if data is None else data.export()
    return found


def _brushed(item: GraphicsObject) -> Array | None:
    """The indices (from 0) of the points that were brushed; None where none was."""
    mask = item["BrushData"] if item.has("BrushData") else None
    return None if mask is None else np.flatnonzero(mask.host().reshape(-1, order="F"))


def _image_opacity(image: GraphicsObject) -> Snapshot:
    """The alpha data of an image as they are, with the straight line that maps them to opacities;
    what no line does is mapped here."""
    mapping = image["AlphaDataMapping"]
    if mapping == "none" or (mapping == "scaled" and is_default_alphamap(image)):
        return {"alpha_map": linear_opacity(image)}
    resolved = opacities(image)
    data = image["AlphaData"] if resolved is None else HostData(resolved)
    return {"alpha_map": (1.0, 0.0), "AlphaData": None if data is None else data.export()}


def axes_snapshot(axes: GraphicsObject) -> Snapshot:
    """Axes and everything in them."""
    before, axes.side = axes.side, "left"
    try:
        return _axes_snapshot(axes)
    finally:
        axes.side = before


def _axes_snapshot(axes: GraphicsObject) -> Snapshot:
    found = object_snapshot(axes)
    for letter in "XYZ":
        found[f"{letter}Lim"] = limits.axis_limits(axes, letter)
    if is_polar(axes):
        found["XLim"], found["YLim"] = plane_limits(axes)
        found["DataAspectRatioMode"] = "manual"
        found["polar"] = polar_snapshot(axes)
    found["CLim"] = limits.color_limits(axes)
    found["colormap"] = color_bytes(resolved_colormap(axes))
    found["frame"] = frame_of(axes)
    inner = axes["PositionMode"] == "inner"
    found["inner"] = inside_panels(axes, normalized_frame(axes)) if inner else None
    found["group"] = axes.parent.serial if axes.parent is not None else 0
    for key, name in _TEXTS.items():
        found[key] = _text(axes, name)
    found["legend"] = _legend(axes)
    found["colorbar"] = _colorbar(axes)
    found["linked"] = dict(axes.linked)
    found["two_sided"] = axes.two_sided
    found["right"] = _right_ruler(axes) if axes.two_sided else None
    if axes.two_sided:
        for key, ruler in (("ylabel", found), ("ylabel_right", found["right"])):
            if found[key] is not None and found[key]["Color"] == "auto":
                found[key]["Color"] = ruler["YColor"]
    found["children"] = [series_snapshot(child) for child in drawn_in(axes)]
    return found


def _right_ruler(axes: GraphicsObject) -> Snapshot:
    before, axes.side = axes.side, "right"
    try:
        ruler: Snapshot = {f"Y{name}": axes[f"Y{name}"] for name in _RULER}
        ruler["YLim"] = limits.axis_limits(axes, "Y", "right")
        return ruler
    finally:
        axes.side = before


def _legend(axes: GraphicsObject) -> Snapshot | None:
    legend = axes.parts.get("Legend")
    if legend is None or not legend["Visible"]:
        return None
    found = object_snapshot(legend)
    found["title"] = _text(legend, "Title")
    found["beside"] = legend.values.get("Beside", "")
    if len(legend["Position"]) == 4:
        found["Position"] = list(normalized_frame(legend))
    shown = {item.serial for item in drawn_in(axes)}
    found["items"] = [item.serial for item in legend_items(axes) if item.serial in shown]
    if legend["String"]:
        found["items"] = found["items"][: len(legend["String"])]
    return found


def _colorbar(axes: GraphicsObject) -> Snapshot | None:
    bar = axes.parts.get("Colorbar")
    if bar is None or not bar["Visible"]:
        return None
    place = list(normalized_frame(bar)) if len(bar["Position"]) == 4 else []
    return {
        **object_snapshot(bar),
        "Position": place,
        "label": _text(bar, "Label"),
        "title": _text(bar, "Title"),
        "scale": axes["ColorScale"],
    }


def _text(holder: GraphicsObject, name: str) -> Snapshot | None:
    """A text that belongs to an object, if it says anything."""
    part = holder.parts.get(name)
    return object_snapshot(part) if part is not None and part["String"] else None


def frame_of(axes: GraphicsObject) -> tuple[float, float, float, float]:
    """The place of axes with their labels, in parts of the figure."""
    return inside_panels(axes, _own_frame(axes))


def inside_panels(item: GraphicsObject, frame: Frame) -> Frame:
    """A place in parts of an object's parent as one in parts of the figure."""
    parent = item.parent
    while parent is not None and parent.kind.name != "figure":
        if parent.kind.name == "uipanel":
            left, bottom, width, height = normalized_frame(parent)
            frame = (
                left + frame[0] * width,
                bottom + frame[1] * height,
                frame[2] * width,
                frame[3] * height,
            )
        parent = parent.parent
    return frame


def control_snapshot(item: GraphicsObject) -> Snapshot:
    """A control, with its place in parts of the figure."""
    found = object_snapshot(item)
    found["frame"] = inside_panels(item, normalized_frame(item))
    found["paper"] = _paper_of(item.parent)
    if item.kind.name == "uitable":
        found |= table_texts(item)
    if item.kind.name == "uicontrol":
        found["texts"] = lines_of(item["String"])
        value = item["Value"]
        found["value"] = vector_of(value) if not is_text(value) else ()
    return found


def _paper_of(item: GraphicsObject | None) -> object:
    """The colour behind what an object holds: its own, or that of what it is in."""
    while item is not None and item.kind.name in ("uipanel", "figure"):
        color = item["BackgroundColor" if item.kind.name == "uipanel" else "Color"]
        if color != "auto":
            return color
        item = item.parent
    return "auto"


def _own_frame(axes: GraphicsObject) -> Frame:
    if axes["PositionMode"] != "inner":
        return normalized_frame(axes, "OuterPosition")
    left, bottom, width, height = normalized_frame(axes)
    before, below, after, above = _AUTO_FRAME_MARGINS
    scale_x, scale_y = width / 0.775, height / 0.815
    return (
        left - before * scale_x,
        bottom - below * scale_y,
        width + (before + after) * scale_x,
        height + (below + above) * scale_y,
    )


def _leaves(item: GraphicsObject) -> list[GraphicsObject]:
    """Axes, annotations and controls of a figure, tiled layouts dissolved."""
    found: list[GraphicsObject] = []
    for child in item.children:
        if child.kind.name != "tiledlayout":
            found.append(child)
        if child.kind.name in ("tiledlayout", "uipanel", "uicontextmenu"):
            found.extend(_leaves(child))
    return found


def figure_snapshot(figure: GraphicsObject) -> Snapshot:
    """A whole figure."""
    found = object_snapshot(figure)
    found["number"] = figure.number
    found["Position"] = pixels_of(figure)
    parts = _leaves(figure)
    controls = dict.fromkeys(("uicontrol", "uipanel", "uitable"), control_snapshot)
    makers = {"axes": axes_snapshot, **controls}
    found["children"] = [makers.get(item.kind.base, object_snapshot)(item) for item in parts]
    found["title"] = _layout_text(figure, "Title")
    found["subtitle"] = _layout_text(figure, "Subtitle")
    found["xlabel"] = _layout_text(figure, "XLabel")
    found["ylabel"] = _layout_text(figure, "YLabel")
    found["wants"] = callbacks_set(figure)
    found["raised"] = figure.values.get("Raised", 0)
    return found


def _layout_text(figure: GraphicsObject, name: str) -> Snapshot | None:
    """A text around everything: of a tiled layout, or ``sgtitle``."""
    holders = [figure, *(c for c in figure.children if c.kind.name == "tiledlayout")]
    found = [holder.parts[name] for holder in holders if name in holder.parts]
    return object_snapshot(found[0]) if found else None
