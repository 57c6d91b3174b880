"""One set of axes: a pyqtgraph view box with rulers, series, title, legend and colour bar."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter

from app.ui.plots.axes_frame import FrameItem
from app.ui.plots.axes_surroundings import (
    drag_legend,
    draw_labels,
    inner_area,
    legend_room,
    legend_views,
    own_margins,
    place_legend,
    place_rulers,
    place_scale,
    scale_room,
    shaped,
)
from app.ui.plots.colorbar import ColorScale
from app.ui.plots.host.projection import is_space
from app.ui.plots.labels.label import Label, label_of
from app.ui.plots.legend import LegendBox
from app.ui.plots.legend_place import Margins
from app.ui.plots.paint_support import told
from app.ui.plots.plot_box import PlotBox
from app.ui.plots.polar_frame import PolarFrame
from app.ui.plots.ruler import Ruler
from app.ui.plots.ruler_model import ruler_model
from app.ui.plots.series_arrays import Exported
from app.ui.plots.series_item import BoxItem, DeviceItem
from app.ui.plots.series_stack import SeriesStack
from app.ui.plots.space_item import SpaceItem
from app.ui.plots.style import Style


def _limits(name: str, source: Exported, *, log: bool) -> tuple[float, float]:
    low, high = source[name]
    if not log:
        return low, high
    return math.log10(low) if low > 0 else -1.0, math.log10(high) if high > 0 else 0.0


def _shown_series(axes: Exported, hidden: set[int]) -> list[Exported]:
    return [c for c in axes["children"] if c["Visible"] and c["id"] not in hidden]


Seen = tuple[str, tuple[Any, ...], tuple[Any, ...]]
"""What was done with the mouse, how things are now, and how they are untouched."""


class AxesItem(pg.GraphicsWidget):  # type: ignore[misc]
    """Shows one axes of a figure.

    Attributes:
        model: the axes' snapshot.
        box: the view box of the left (or only) y axis.
        shared: margins that these axes keep so that their boxes stand in line with others.
        home: the limits and directions that the model asks for.
        labels: titles and labels.
        legend: the legend, if it is shown.
        color_scale: the colour bar, if it is shown.
    """

    moved = Signal()
    brushed = Signal(int, object)

    def __init__(self, model: Exported, style: Style) -> None:
        super().__init__()
        self.model = model
        self.style = style
        self.box = PlotBox()
        self.box.setParentItem(self)
        self.right_box: PlotBox | None = None
        self.rulers = {side: self._new_ruler(side, self.box) for side in ("bottom", "left")}
        self._frame = FrameItem(self)
        self._stack = SeriesStack(self.moved)
        self.legend: LegendBox | None = None
        self.color_scale: ColorScale | None = None
        self._kept: dict[str, Any] = {}
        self._hidden: set[int] = set()
        self.labels: dict[str, Label] = {}
        self.home: tuple[Any, ...] = ()
        self._arranging = False
        self.shared: Margins = (0.0, 0.0, 0.0, 0.0)
        self.space: SpaceItem | None = None
        self.box.reset_wanted.connect(self.reset_view)
        self.box.brushed.connect(self._tell_brushed)
        self.box.sigRangeChanged.connect(self._range_changed)
        self.show_model(model, style)

    def _new_ruler(self, side: str, box: PlotBox | None) -> Ruler:
        made = Ruler(side, self.style)
        made.setParentItem(self)
        made.linkToView(box)
        return made

    # --- model ----------------------------------------------------------------------------

    def show_model(self, model: Exported, style: Style) -> None:
        """Show another state of the axes."""
        self.model, self.style = model, style
        self.setVisible(True)
        self._arranging = True  # not with the parts of two models
        try:
            self._show_space()
            self._show_rulers()
            self._show_limits()
            self._show_series()
            self._show_texts()
            self._show_legend()
            self._show_scale()
        finally:
            self._arranging = False
        self.relayout()
        self.update()

    def show_data(self, model: Exported) -> None:
        """Show a state that differs in the numbers of series on the device only."""
        self.model = model
        self._stack.show_data(_shown_series(model, self._hidden), model)

    def _part_named(self, name: str, make: Callable[[], Any]) -> Any:
        """A part that is made once, and hidden while it is not needed: Qt's items are not
        destroyed one by one."""
        if name not in self._kept:
            self._kept[name] = make()
            self._kept[name].setParentItem(self)
        self._kept[name].setVisible(True)
        return self._kept[name]

    def _hide(self, *names: str) -> None:
        for name in names:
            if name in self._kept:
                self._kept[name].setVisible(False)

    def _show_space(self) -> None:
        """Show the box in space instead of the flat one, or the other way round."""
        if is_space(self.model):
            self.space = self._part_named("space", self._new_space)
            self.space.show_model(self.model, self.style)
        else:
            if self.space is not None:
                self.space.show_model({**self.model, "children": []}, self.style)
            self._hide("space")
            self.space = None
        flat = self.space is None
        self.box.setVisible(flat)
        self._frame.setVisible(flat and not self.polar)
        if self.polar:
            self._part_named("polar", PolarFrame).show_model(self.model, self.style)
        else:
            self._hide("polar")

    @property
    def polar(self) -> bool:
        """Whether angles and radii are shown."""
        return "polar" in self.model

    @property
    def ruled(self) -> bool:
        """Whether rulers stand at the box."""
        return bool(self.model["Visible"]) and self.space is None and not self.polar

    def _new_space(self) -> SpaceItem:
        made = SpaceItem(self.model, self.style)
        made.turned.connect(self.moved)
        return made

    @property
    def log(self) -> tuple[bool, bool]:
        """Which axes are logarithmic."""
        return self.model["XScale"] == "log", self.model["YScale"] == "log"

    def _show_rulers(self) -> None:
        wanted = {"bottom": ("X", self.model), "left": ("Y", self.model)}
        if self.model["two_sided"]:
            wanted["right"] = ("Y", self.model["right"])
            self._need_right()
        elif "right" in self.rulers:
            self._drop_right()
        top = self.model["XAxisLocation"] == "top"
        over = self.model["YAxisLocation"] == "right" and not self.model["two_sided"]
        self.rulers["bottom"].side = "top" if top else "bottom"
        self.rulers["left"].side = "right" if over else "left"
        for side, (letter, source) in wanted.items():
            self.rulers[side].set_model(
                ruler_model(self.model, source, letter, self.style), self.style
            )
            self.rulers[side].setVisible(self.ruled)

    def _need_right(self) -> None:
        self.right_box = self._part_named("right box", self._new_right_box)
        self.rulers["right"] = self._part_named(
            "right ruler", partial(self._new_ruler, "right", self.right_box)
        )

    def _new_right_box(self) -> PlotBox:
        made = PlotBox()
        made.setXLink(self.box)
        made.ignore_mouse()
        return made

    def _drop_right(self) -> None:
        self._hide("right box", "right ruler")
        del self.rulers["right"]
        self.right_box = None

    def _show_limits(self) -> None:
        """Take over the model's limits, unless they are those already shown."""
        model = self.model
        x = _limits("XLim", model, log=self.log[0])
        y = _limits("YLim", model, log=self.log[1])
        right = None
        if self.right_box is not None:
            source = model["right"]
            right = _limits("YLim", source, log=source["YScale"] == "log")
        home = x, y, right, model["XDir"], model["YDir"], model["DataAspectRatioMode"]
        if home == self.home:
            return
        self.home = home
        self.box.invertX(model["XDir"] == "reverse")
        self.box.invertY(model["YDir"] == "reverse")
        self._lock_aspect()
        self.reset_view()

    @property
    def shrinks(self) -> bool:
        """Whether the box shrinks to the data's shape (images) instead of showing more around."""
        tight = self.model["XLimitMethod"] == "tight" and self.model["YLimitMethod"] == "tight"
        only = self.polar or [c["kind"] for c in self.model["children"]] == ["image"]
        return self.model["DataAspectRatioMode"] == "manual" and (tight or only)

    def _lock_aspect(self) -> None:
        manual = self.model["DataAspectRatioMode"] == "manual"
        across, up = self.model["DataAspectRatio"][:2]
        self.box.setAspectLocked(manual and not self.shrinks, across / up if up else 1.0)

    def _tell_brushed(self, rect: QRectF) -> None:
        """Points inside a rectangle were chosen: tell its ends in data coordinates."""
        ends = [rect.left(), rect.right(), rect.top(), rect.bottom()]
        logs = (*[self.log[0]] * 2, *[self.log[1]] * 2)
        found = [10.0**end if log else end for end, log in zip(ends, logs, strict=True)]
        self.brushed.emit(self.model["id"], (*sorted(found[:2]), *sorted(found[2:])))

    def views(self) -> list[Seen]:
        """What the mouse made of the axes: limits that are not the model's or the view, and the
        legend's place; and what they are untouched."""
        return [*self._seen_limits(), *legend_views(self)]

    def _seen_limits(self) -> list[Seen]:
        if self.space is not None:
            return [("view", self.space.view, tuple(map(float, self.model["View"])))]
        changed: list[tuple[str, tuple[float, float]]] = []
        if not self.home:
            return []
        boxes = [("XLim", self.box, 0, self.log[0], 0), ("YLim", self.box, 1, self.log[1], 1)]
        if self.right_box is not None:
            log = self.model["right"]["YScale"] == "log"
            boxes.append(("YLim@right", self.right_box, 1, log, 2))
        for name, box, axis, log, home in boxes:
            low, high = map(float, box.viewRange()[axis])
            span = high - low
            own = self.home[home]
            if max(abs(low - own[0]), abs(high - own[1])) > 1e-6 * abs(span):
                changed.append((name, (10.0**low, 10.0**high) if log else (low, high)))
        return [("limits", tuple(changed), ())]

    def reset_view(self) -> None:
        """Back to the model's limits."""
        if self.space is not None:
            self.space.reset_view()
        if not self.home:
            return
        x, y, right = self.home[:3]
        self.box.show_range(x, y)
        if self.right_box is not None and right is not None:
            self.right_box.setYRange(*right, padding=0)

    def _range_changed(self, *_args: Any) -> None:
        for ruler in self.rulers.values():
            ruler.update()
        self.relayout()
        self.moved.emit()

    # --- series ---------------------------------------------------------------------------

    def _show_series(self) -> None:
        shown = _shown_series(self.model, self._hidden)
        if self.space is not None:
            self.space.hidden = self._hidden
            self.space.update()
            shown = []
        self._stack.show(shown, self.box_of, self.model, self.style, self.logs_of)

    def box_of(self, series: Exported) -> PlotBox:
        """The box a series is drawn in: that of its own y axis."""
        if self.right_box is not None and series.get("YAxisSide") == "right":
            return self.right_box
        return self.box

    def logs_of(self, box: PlotBox) -> tuple[bool, bool]:
        """Which axes are logarithmic in one of the boxes."""
        if box is self.right_box:
            return self.log[0], self.model["right"]["YScale"] == "log"
        return self.log

    @property
    def series_items(self) -> list[BoxItem]:
        """The items that show series."""
        return self._stack.items

    @property
    def device_items(self) -> list[DeviceItem]:
        """The pictures drawn by the device."""
        return [item for item in self._stack.items if isinstance(item, DeviceItem)]

    # --- decorations ----------------------------------------------------------------------

    def _show_texts(self) -> None:
        self.labels = {}
        for name in ("title", "subtitle", "xlabel", "ylabel", "ylabel_right"):
            made = label_of(self.model[name], self.style)
            if made is not None:
                self.labels[name] = made

    def _show_legend(self) -> None:
        model = self.model["legend"]
        if model is None:
            if self.legend is not None:
                self.legend.show_model(self.legend.model, [], self.style)
            self._hide("legend")
            self.legend = None
            return
        self.legend = self._part_named("legend", self._new_legend)
        named = {child["id"]: child for child in self.model["children"]}
        entries = [named[number] for number in model["items"] if number in named]
        self.legend.show_model(model, entries, self.style)

    def _new_legend(self) -> LegendBox:
        made = LegendBox()
        made.toggled.connect(self._toggle)
        made.moved.connect(self._legend_moved)
        return made

    def _legend_moved(self) -> None:
        drag_legend(self)
        self.moved.emit()

    def _toggle(self, number: int) -> None:
        """Hide or show a series, in the window only."""
        self._hidden ^= {number}
        self._show_series()

    def _show_scale(self) -> None:
        if self.model["colorbar"] is None:
            if self.color_scale is not None:
                self.color_scale.retire()
            self._hide("scale")
            self.color_scale = None
            return
        self.color_scale = self._part_named("scale", ColorScale)
        self.color_scale.show_model(self.model["colorbar"], self.model, self.style)

    def retire(self) -> None:
        """Let go of all data: the axes are gone."""
        self.show_model(
            {**self.model, "children": [], "legend": None, "colorbar": None}, self.style
        )
        self.setVisible(False)

    # --- layout ---------------------------------------------------------------------------

    def resizeEvent(self, _event: Any) -> None:
        """Arrange everything anew."""
        self.relayout()

    def margins(self) -> Margins:
        """Room left, top, right and below the plot box; at least that of axes over these."""
        own = own_margins(self)
        return tuple(map(max, own, self.shared))  # type: ignore[return-value]

    def relayout(self) -> None:
        """Give the box, the rulers, legend and colour bar their places."""
        rect = QRectF(QPointF(0, 0), self.size())
        if rect.width() < 20 or rect.height() < 20 or self._arranging:
            return
        self._arranging = True  # a box with a locked aspect ratio changes its limits meanwhile
        try:
            for _attempt in range(3):
                margins = self.margins()
                self._arrange(rect, margins)
                # Another height has other ticks, and their labels may be wider.
                if self.margins() == margins:
                    break
        finally:
            self._arranging = False

    def _arrange(self, rect: QRectF, margins: tuple[float, float, float, float]) -> None:
        legend = legend_room(self)
        left, above, right, below = (margins[k] + legend[k] for k in range(4))
        scale = scale_room(self, rect, above + below, left + right)
        left, above, right, below = (
            left + scale[0],
            above + scale[1],
            right + scale[2],
            (below + scale[3]),
        )
        area = QRectF(
            round(left),
            round(above),
            max(round(rect.width() - left - right), 10),
            max(round(rect.height() - above - below), 10),
        )
        area = shaped(self, inner_area(self, rect) or area)
        if self.box.geometry() != area:
            self.box.setGeometry(area)
        if self.space is not None:
            self.space.setGeometry(area)
        if self.polar:
            self._kept["polar"].place(area)
        if self.right_box is not None and self.right_box.geometry() != area:
            self.right_box.setGeometry(area)
        place_rulers(self, area)
        place_scale(self, area)
        place_legend(self, area)
        self._frame.update()

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """The plot's ground, titles and labels."""
        area = self.box.geometry()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.ruled:
            painter.fillRect(area, self.style.paper_color(self.model["Color"], self.style.plot))
        draw_labels(self, painter, area)
