"""Properties that are computed, and assignments that do more than keep a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.engine.figures import (
    axes_fonts,
    camera,
    heatmap_parts,
    histogram_bins,
    limits,
    pair_bins,
    pinned_tips,
    text_extents,
)
from app.engine.figures.colormaps import colormap_table, resolved_colormap
from app.engine.figures.colors import COLOR_ORDER, parse_color
from app.engine.figures.contours import contour_matrix
from app.engine.figures.dates import DATE
from app.engine.figures.figure_data import host_table
from app.engine.figures.legend_items import legend_items
from app.engine.figures.objects import ByProperty, Getter, GraphicsObject, Setter, handles, items_of
from app.engine.figures.opacity import alpha_limits, resolved_alphamap
from app.engine.figures.polar_axes import angle_ticks, radius_ticks
from app.engine.figures.properties import is_text, lines_of, plain_text, row_value, vector_of
from app.engine.figures.ruler_values import values_on_ruler
from app.engine.figures.rulers import BaseLine, LayoutPlace, LegendEntry, is_alias, ruler_of
from app.engine.figures.series_index import order_of, set_series_index
from app.engine.figures.ticks import Limits, linear_ticks, log_ticks, tick_label
from app.engine.figures.tip_rows import keep_template, template_of
from app.engine.figures.units import (
    get_position,
    inner_place,
    set_font_units,
    set_units,
    tight_inset,
)
from app.engine.values import EMPTY, Cell, DeviceArray, Value, as_array, canonical, numel, texts_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.values.containers import Array


def resolved_ticks(axes: GraphicsObject, letter: str) -> list[float]:
    """The ticks of an axis: the script's, or nice numbers."""
    if axes[f"{letter}TickMode"] == "manual":
        return list(axes[f"{letter}Tick"])
    found = shown_limits(axes, letter)
    return (log_ticks if axes[f"{letter}Scale"] == "log" else linear_ticks)(found)


def _tick_labels(axes: GraphicsObject, letter: str) -> Value:
    if axes[f"{letter}TickLabelMode"] == "manual":
        texts = list(axes[f"{letter}TickLabel"])
    else:
        texts = [tick_label(tick) for tick in resolved_ticks(axes, letter)]
    return Cell.of(texts, (len(texts), 1))


# --- getters ------------------------------------------------------------------------------


def _parent(item: GraphicsObject) -> Value:
    return item.parent if item.parent is not None else EMPTY


def _children(item: GraphicsObject) -> Value:
    return handles([child for child in reversed(item.children) if child.listed])


def _part_getter(name: str) -> Getter:
    def get(axes: GraphicsObject) -> Value:
        if name in ("Legend", "Colorbar"):
            return axes.parts.get(name, EMPTY)
        return axes.owner.part(axes, name)

    return get


def shown_limits(axes: GraphicsObject, letter: str) -> Limits:
    """The limits that are seen: those of the model, unless the mouse has changed them."""
    right = letter == "Y" and axes.side == "right"
    seen = axes.seen.get(f"{letter}Lim@right" if right else f"{letter}Lim")
    return seen or limits.axis_limits(axes, letter, axes.side)


def _values_on_ruler(axes: GraphicsObject, letter: str, numbers: Sequence[float]) -> Value:
    """Numbers of a ruler; dates where it shows dates."""
    context, found = axes.owner.inputs.context, row_value(tuple(numbers))
    return found if context is None else values_on_ruler(context, axes, letter, found)


def _alphamap(item: GraphicsObject) -> Value:
    return canonical(resolved_alphamap(item)[None, :])


def _limits(letter: str) -> Getter:
    return lambda axes: _values_on_ruler(axes, letter, shown_limits(axes, letter))


def _ticks(letter: str) -> Getter:
    return lambda axes: _values_on_ruler(axes, letter, resolved_ticks(axes, letter))


def _limit_mode(letter: str) -> Getter:
    def get(axes: GraphicsObject) -> Value:
        return "manual" if f"{letter}Lim" in axes.seen else axes[f"{letter}LimMode"]

    return get


def _current_axes(figure: GraphicsObject) -> Value:
    return figure.owner.current_axes_of(figure) or EMPTY


def _listed(legend: GraphicsObject) -> Value:
    """The series that a legend lists."""
    return handles(legend_items(legend.parent) if legend.parent is not None else [])


def _legend_texts(legend: GraphicsObject) -> Value:
    axes = legend.parent
    texts = list(legend["String"])
    if not texts and axes is not None:
        texts = [item["DisplayName"] for item in legend_items(axes)]
    return Cell.of(texts, (1, len(texts)))


def _bar_limits(bar: GraphicsObject) -> Value:
    """The values at the ends of a colour bar."""
    own = bar["Limits"]
    return row_value(own or (limits.color_limits(bar.parent) if bar.parent else (0.0, 1.0)))


def _end_points(bar: GraphicsObject, letter: str) -> Value:
    """Where bars end: their middles along one axis, their heads along the other."""
    along = "Y" if bar["Horizontal"] else "X"
    data = bar["XData" if letter == along else "YData"].host("plot").reshape(1, -1)
    return canonical(data + (bar["XOffset"] if letter == along else 0.0))


def _bar_peers(bar: GraphicsObject) -> Value:
    """The bars of the same axes, which share its places."""
    peers = bar.parent.children if bar.parent else [bar]
    return handles([item for item in reversed(peers) if item.kind is bar.kind])


def contour_lines_of(contour: GraphicsObject) -> Array:
    """The lines of a contour plot in the two-row form of ``M = contour(...)``."""
    x, y, z = (contour[name].host("contour") for name in ("XData", "YData", "ZData"))
    return contour_matrix(x, y, z, contour["LevelList"])


def bar_colors(bar: GraphicsObject) -> Array:
    """A row of colour per bar: those that were set, or the one of all."""
    kept = bar["CData"]
    if kept.size:
        return kept  # type: ignore[no-any-return]
    own = bar["FaceColor"] if isinstance(bar["FaceColor"], tuple) else bar.values.get("OwnColor")
    return np.tile(np.array(own or (0.0, 0.447, 0.741)), (bar["YData"].size, 1))


def _set_bar_face(bar: GraphicsObject, value: Value) -> None:
    """A colour; with 'flat' every bar has its own, beginning with the one of all."""
    if isinstance(bar["FaceColor"], tuple):
        bar.values["OwnColor"] = bar["FaceColor"]
    bar["FaceColor"] = bar.parsed("FaceColor", value)


def _set_bar_colors(bar: GraphicsObject, value: Value) -> None:
    table = as_array(value).astype(np.float64)
    if table.shape == (1, 3):
        table = np.tile(table, (bar["YData"].size, 1))
    bar["CData"] = table


def _no_gui(item: GraphicsObject) -> Value:
    return EMPTY


def _color_order(axes: GraphicsObject) -> Value:
    rows = order_of(axes)
    return np.array(COLOR_ORDER) if rows is None else as_array(rows)


def _row(name: str) -> Getter:
    """The numbers of a series along one axis: a row, however they were given."""

    def read(item: GraphicsObject) -> Value:
        full = item.full_name(name)
        kept = item[full]
        value = EMPTY if kept is None else item.kind.properties[full][0].show(kept)
        if type(value) is DeviceArray and len(value.shape) == 2 and value.shape[1] == 1:
            from app.engine.capture.capture_session import reshape_lazy

            return reshape_lazy(value, (1, value.shape[0]))
        column = isinstance(value, np.ndarray) and value.ndim == 2 and value.shape[1] == 1
        return as_array(value).T if column else value

    return read


_SERIES_ROWS = {
    (kind, f"{letter}Data".lower()): _row(f"{letter}Data")
    for kind in ("line", "stair", "stem", "bar", "area", "scatter", "errorbar")
    for letter in "XYZ"
}


def _heights_or_colors(surface: GraphicsObject) -> Value:
    """The colours of a surface: its heights where none were given."""
    name = "ZData" if surface["CData"] is None else "CData"
    kept = surface[name]
    return EMPTY if kept is None else surface.kind.properties[name][0].show(kept)


_USUAL_AREA = 36.0
"""The area of the marks of a scatter chart, in points squared, where none is given."""


def _marker_areas(scatter: GraphicsObject) -> Value:
    kept = scatter["SizeData"]
    return _USUAL_AREA if kept is None else scatter.kind.properties["SizeData"][0].show(kept)


def _cancel_requested(dialog: GraphicsObject) -> Value:
    """Whether somebody has pressed Cancel by now."""
    if dialog.owner.inputs.pump is not None:
        dialog.owner.flush()
        dialog.owner.inputs.pump()
        dialog.check_alive()
    return bool(dialog["CancelRequested"])


GETTERS: ByProperty[Getter] = {
    **_SERIES_ROWS,
    ("", "parent"): _parent,
    ("axes", "colororder"): _color_order,
    ("polaraxes", "colororder"): _color_order,
    ("", "children"): _children,
    ("", "type"): lambda item: item.kind.name,
    ("", "beingdeleted"): lambda item: "off" if item.alive else "on",
    ("progressdialog", "cancelrequested"): _cancel_requested,
    ("figure", "number"): lambda item: float(item.number),
    ("figure", "currentaxes"): _current_axes,
    ("root", "currentfigure"): lambda root: root.owner.current or EMPTY,
    ("axes", "xlim"): _limits("X"),
    ("axes", "ylim"): _limits("Y"),
    ("axes", "zlim"): _limits("Z"),
    ("axes", "xlimmode"): _limit_mode("X"),
    ("axes", "ylimmode"): _limit_mode("Y"),
    ("axes", "clim"): lambda axes: row_value(limits.color_limits(axes)),
    ("axes", "xtick"): _ticks("X"),
    ("axes", "ytick"): _ticks("Y"),
    ("axes", "ztick"): _ticks("Z"),
    ("axes", "xticklabel"): lambda axes: _tick_labels(axes, "X"),
    ("axes", "yticklabel"): lambda axes: _tick_labels(axes, "Y"),
    ("axes", "zticklabel"): lambda axes: _tick_labels(axes, "Z"),
    ("axes", "colormap"): lambda axes: canonical(resolved_colormap(axes)),
    ("axes", "alim"): lambda axes: row_value(alpha_limits(axes)),
    ("axes", "alphamap"): _alphamap,
    ("figure", "alphamap"): _alphamap,
    ("axes", "title"): _part_getter("Title"),
    ("axes", "subtitle"): _part_getter("Subtitle"),
    ("axes", "xlabel"): _part_getter("XLabel"),
    ("axes", "ylabel"): _part_getter("YLabel"),
    ("axes", "zlabel"): _part_getter("ZLabel"),
    ("axes", "legend"): _part_getter("Legend"),
    ("axes", "colorbar"): _part_getter("Colorbar"),
    **heatmap_parts.GETTERS,
    **pair_bins.GETTERS,
    **pinned_tips.GETTERS,
    **camera.GETTERS,
    **text_extents.GETTERS,
    ("polaraxes", "rlim"): lambda axes: row_value(limits.axis_limits(axes, "R")),
    ("polaraxes", "rtick"): lambda axes: row_value(tuple(radius_ticks(axes))),
    ("polaraxes", "thetatick"): lambda axes: row_value(tuple(angle_ticks(axes))),
    ("axes", "xaxis"): lambda axes: ruler_of(axes, "X"),
    ("axes", "yaxis"): lambda axes: ruler_of(axes, "Y"),
    ("axes", "zaxis"): lambda axes: ruler_of(axes, "Z"),
    ("axes", "tightinset"): tight_inset,
    ("axes", "position"): get_position,
    ("axes", "innerposition"): get_position,
    ("axes", "layout"): LayoutPlace,
    ("tiledlayout", "layout"): LayoutPlace,
    ("colorbar", "layout"): LayoutPlace,
    ("legend", "layout"): LayoutPlace,
    ("legend", "string"): _legend_texts,
    ("legend", "plotchildren"): _listed,
    ("legend", "title"): _part_getter("Title"),
    ("colorbar", "title"): _part_getter("Title"),
    ("colorbar", "label"): _part_getter("Label"),
    ("colorbar", "limits"): _bar_limits,
    ("colorbar", "xlabel"): _part_getter("Label"),
    ("colorbar", "ylabel"): _part_getter("Label"),
    ("", "annotation"): LegendEntry,
    ("", "datatiptemplate"): template_of,
    **{(kind, "baseline"): BaseLine for kind in ("stem", "bar", "area")},
    ("surface", "cdata"): _heights_or_colors,
    ("scatter", "sizedata"): _marker_areas,
    ("bar", "cdata"): lambda bar: canonical(bar_colors(bar)),
    ("bar", "barpeers"): _bar_peers,
    ("contour", "contourmatrix"): contour_lines_of,
    ("bar", "xendpoints"): lambda bar: _end_points(bar, "X"),
    ("bar", "yendpoints"): lambda bar: _end_points(bar, "Y"),
    ("tiledlayout", "subtitle"): _part_getter("Subtitle"),
    ("tiledlayout", "title"): _part_getter("Title"),
    ("tiledlayout", "xlabel"): _part_getter("XLabel"),
    ("tiledlayout", "ylabel"): _part_getter("YLabel"),
    ("", "uicontextmenu"): _no_gui,
}


# --- setters ------------------------------------------------------------------------------


def _set_part(name: str) -> Setter:
    def set_text(axes: GraphicsObject, value: Value) -> None:
        if value is axes.parts.get(name) or value is axes.parts.get(f"{name}@right"):
            return  # the last step of an assignment such as ax.Title.String = 'x'
        axes.owner.part(axes, name).set("String", value)

    return set_text


def _set_colormap(item: GraphicsObject, value: Value) -> None:
    item["Colormap"] = colormap_table(value, resolved_colormap(item))


def _set_position(axes: GraphicsObject, value: Value) -> None:
    numbers = axes.parsed("Position", value)
    axes["Position"] = axes["InnerPosition"] = numbers
    axes["PositionMode"] = "inner"


def _set_outer(axes: GraphicsObject, value: Value) -> None:
    axes["OuterPosition"] = axes.parsed("OuterPosition", value)
    axes["PositionMode"] = "outer"


def _set_parent(item: GraphicsObject, value: Value) -> None:
    (parent,) = items_of(value)
    item.touch()
    if item.parent is not None:
        item.parent.children.remove(item)
    item.parent = parent
    parent.children.append(item)
    item.touch()


def _set_erase_mode(item: GraphicsObject, value: Value) -> None:
    """What programs for MATLAB before 2014 say of redrawing: told, and without effect."""
    context = item.owner.inputs.context
    if context is not None:
        context.warning("MATLAB:hg:EraseModeIgnored", _ERASE_MODE)


_ERASE_MODE = (
    "The EraseMode property is no longer supported and will error in a future release. Use the "
    "ANIMATEDLINE function for animating lines and points instead of EraseMode 'none'. Removing "
    "instances of EraseMode set to 'normal', 'xor', and 'background' has minimal impact."
)


def _set_children(item: GraphicsObject, value: Value) -> None:
    """The same children in another order, the topmost first."""
    order = [*reversed(items_of(value))] if numel(value) else []
    hidden = [child for child in item.children if child not in order]
    if any(child.parent is not item for child in order):
        raise MatlabError(
            "MATLAB:hg:InvalidPropertyValue", "Children may only be set to a permutation of itself."
        )
    item.children[:] = [*hidden, *order]
    item.touch()


def _set_current_axes(figure: GraphicsObject, value: Value) -> None:
    figure.owner.activate(items_of(value)[0])


def _set_current_figure(root: GraphicsObject, value: Value) -> None:
    root.owner.activate(items_of(value)[0])


def color_rows(value: Value) -> Array:
    """Colours as rows of red, green, blue: a matrix, or names."""
    if not (is_text(value) or isinstance(value, Cell)):
        rows = as_array(value).astype(np.float64)
    else:
        found = [parse_color(name) for name in texts_of(value)]
        rows = np.array([color for color in found if not isinstance(color, str)])
    if rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
        text = "An order of colors is a matrix of three columns, or one or more names of colors."
        raise MatlabError("MATLAB:hg:shaped_arrays:ColorOrderType", text)
    return rows


def _set_color_order(axes: GraphicsObject, value: Value) -> None:
    axes["ColorOrder"] = color_rows(value)


def _set_limits(letter: str) -> Setter:
    """Limits, for all axes that are linked with these."""

    def set_limits(axes: GraphicsObject, value: Value) -> None:
        name = f"{letter}Lim"
        kept = axes.parsed(name, value)
        first, figure = axes.linked.get(letter), axes.ancestor("figure")
        group = [axes]
        if first is not None and figure is not None:
            group += [
                other
                for other in figure.descendants()
                if other is not axes and other.linked.get(letter) == first
            ]
        for item in group:
            item[name] = kept
            item[f"{name}Mode"] = "manual"

    return set_limits


def _set_tick_format(letter: str) -> Setter:
    """A format of numbers, or of dates on a ruler of dates."""

    def set_format(axes: GraphicsObject, value: Value) -> None:
        text, name = plain_text(value), f"{letter}TickFormat"
        on_dates = axes[name].startswith(DATE)
        axes[name] = (
            f"{DATE}:{text}"
            if on_dates and text != "auto"
            else (DATE if on_dates else "" if text == "auto" else text)
        )

    return set_format


def _keep_ruler(item: GraphicsObject, value: Value) -> None:
    """The last step of ``ax.XAxis.Color = c``: the colour is already set."""
    if not is_alias(value):
        raise MatlabError("MATLAB:hg:InvalidPropertyValue", "Value must be a ruler.")


def _set_legend_texts(legend: GraphicsObject, value: Value) -> None:
    texts = lines_of(value)
    legend["String"] = tuple(texts)
    if legend.parent is not None:
        for series, text in zip(legend_items(legend.parent), texts, strict=False):
            series["DisplayName"] = text


def _set_bar_position(bar: GraphicsObject, value: Value) -> None:
    axes = bar.parent
    if axes is not None and axes["PositionMode"] == "auto" and bar["Location"] != "manual":
        axes["Position"], axes["PositionMode"] = inner_place(axes), "inner"  # they stay small
    bar["Position"] = vector_of(value)
    bar["Location"] = "manual"


_SHORT_PLACES = {
    **{
        a + b: x + y
        for a, x in (("n", "north"), ("s", "south"))
        for b, y in (("", ""), ("e", "east"), ("w", "west"))
    },
    "e": "east",
    "w": "west",
    "b": "best",
}
_SHORT_PLACES |= {f"{short}o": f"{full}outside" for short, full in _SHORT_PLACES.items()}
"""Places of legends by their initials."""


def _set_legend_place(legend: GraphicsObject, value: Value) -> None:
    """A place by its name takes back one by numbers."""
    short = _SHORT_PLACES.get(plain_text(value).lower()) if is_text(value) else None
    legend["Location"] = short or legend.parsed("Location", value)
    legend["Position"] = ()


def _set_axis_location(axes: GraphicsObject, value: Value) -> None:
    axes["YAxisLocation"] = axes.kind.properties["YAxisLocation"][0].parse(value)


def _set_vertices(letter: str) -> Setter:
    """New coordinates of a patch move its vertices."""

    def set_data(patch: GraphicsObject, value: Value) -> None:
        column = "XYZ".index(letter)
        vertices = host_table(patch["Vertices"])
        coordinates = as_array(value).reshape(-1, order="F")
        if coordinates.dtype.kind not in "fiub" or coordinates.size not in (1, len(vertices)):
            text = f"{letter}Data must have a number for each of {len(vertices)} vertices."
            raise MatlabError("MATLAB:hg:InvalidProperty", text)
        missing = max(0, column + 1 - vertices.shape[1])
        vertices = np.pad(vertices, ((0, 0), (0, missing)))
        vertices[:, column] = coordinates
        patch["Vertices"] = vertices

    return set_data


_PLACED = "figure axes polaraxes heatmap legend colorbar uicontrol uipanel uitable".split()
SETTERS: ByProperty[Setter] = {
    **heatmap_parts.SETTERS,
    **histogram_bins.SETTERS,
    **pair_bins.SETTERS,
    **pinned_tips.SETTERS,
    **camera.SETTERS,
    **axes_fonts.SETTERS,
    ("", "children"): _set_children,
    ("colorbar", "xlabel"): _set_part("Label"),
    ("colorbar", "ylabel"): _set_part("Label"),
    ("", "parent"): _set_parent,
    **{(kind, "baseline"): _keep_ruler for kind in ("stem", "bar", "area")},
    ("", "annotation"): _keep_ruler,
    ("", "datatiptemplate"): keep_template,
    ("", "erasemode"): _set_erase_mode,
    ("figure", "currentaxes"): _set_current_axes,
    ("root", "currentfigure"): _set_current_figure,
    ("figure", "colormap"): _set_colormap,
    ("axes", "colormap"): _set_colormap,
    **{(kind, "units"): set_units for kind in _PLACED},
    ("", "fontunits"): set_font_units,
    ("axes", "position"): _set_position,
    ("axes", "innerposition"): _set_position,
    ("axes", "outerposition"): _set_outer,
    ("axes", "colororder"): _set_color_order,
    ("", "seriesindex"): set_series_index,
    ("axes", "yaxislocation"): _set_axis_location,
    ("bar", "facecolor"): _set_bar_face,
    ("bar", "cdata"): _set_bar_colors,
    ("axes", "xlim"): _set_limits("X"),
    ("axes", "ylim"): _set_limits("Y"),
    ("axes", "zlim"): _set_limits("Z"),
    ("axes", "xtickformat"): _set_tick_format("X"),
    ("axes", "ytickformat"): _set_tick_format("Y"),
    ("axes", "ztickformat"): _set_tick_format("Z"),
    **{("axes", f"{letter}axis"): _keep_ruler for letter in "xyz"},
    **{(kind, "layout"): _keep_ruler for kind in ("axes", "tiledlayout", "colorbar", "legend")},
    ("legend", "title"): _set_part("Title"),
    ("colorbar", "title"): _set_part("Title"),
    ("colorbar", "label"): _set_part("Label"),
    ("colorbar", "position"): _set_bar_position,
    ("legend", "location"): _set_legend_place,
    ("tiledlayout", "title"): _set_part("Title"),
    ("tiledlayout", "xlabel"): _set_part("XLabel"),
    ("tiledlayout", "ylabel"): _set_part("YLabel"),
    ("axes", "subtitle"): _set_part("Subtitle"),
    ("axes", "title"): _set_part("Title"),
    ("axes", "xlabel"): _set_part("XLabel"),
    ("axes", "ylabel"): _set_part("YLabel"),
    ("axes", "zlabel"): _set_part("ZLabel"),
    ("legend", "string"): _set_legend_texts,
    ("patch", "xdata"): _set_vertices("X"),
    ("patch", "ydata"): _set_vertices("Y"),
    ("patch", "zdata"): _set_vertices("Z"),
}
