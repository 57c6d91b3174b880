"""Where data tips stand: the box and the rulers of a series, and which of its points is nearest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF

from app.ui.plots.axes_item import AxesItem
from app.ui.plots.device.renderer_pool import renderer_for
from app.ui.plots.device.series_layers import buffer_of, has_points_on_device
from app.ui.plots.plot_box import PlotBox
from app.ui.plots.series_arrays import Exported, Window, count_of, flat, to_axis


@dataclass(frozen=True, slots=True)
class Ground:
    """What a series is drawn in.

    Attributes:
        side: which y axis it belongs to.
        box: the view box of that axis.
        log: which of its axes are logarithmic.
        x_ruler: the model that describes the ruler below.
        y_ruler: the model that describes the ruler at the side.
    """

    side: str
    box: PlotBox
    log: tuple[bool, bool]
    x_ruler: Exported
    y_ruler: Exported

    def ruler_across(self, lies: bool) -> Exported:
        """The ruler that bars stand on; the one at the side where they lie."""
        return self.y_ruler if lies else self.x_ruler

    def scene_place(self, x: float, y: float) -> QPointF:
        """Where a point is in the scene."""
        at = [float(to_axis(np.array(v), log=log)) for v, log in zip((x, y), self.log, strict=True)]
        return QPointF(self.box.mapViewToScene(QPointF(*at)))

    def pixels_between(self, x: float, y: float, place: QPointF) -> float:
        """How far a point is from a place in the scene."""
        gap = self.scene_place(x, y) - place
        return float(np.hypot(gap.x(), gap.y()))

    def window(self) -> Window:
        """The visible part, in the pixels of the scene."""
        area = self.box.sceneBoundingRect()
        ends = self.box.mapSceneToView(area.topLeft()), self.box.mapSceneToView(area.bottomRight())
        return Window(
            ends[0].x(),
            ends[1].x(),
            ends[1].y(),
            ends[0].y(),
            max(round(area.width()), 1),
            max(round(area.height()), 1),
            *self.log,
        )


def ground_of(axes: AxesItem, side: str) -> Ground:
    """The ground at one side of axes; the left one where there is no other."""
    box = axes.box_of({"YAxisSide": side})
    right = box is not axes.box
    ruler = axes.model["right"] if right else axes.model
    return Ground("right" if right else "left", box, axes.logs_of(box), axes.model, ruler)


def nearest_index(ground: Ground, series: Exported, place: QPointF) -> int | None:
    """The point of a series nearest to a place in the scene, as it is seen; None for none.

    Points that the device draws are looked through there; the others are on the host already.
    """
    window, view = ground.window(), ground.box.mapSceneToView(place)
    x_data, y_data = series["XData"], series["YData"]
    renderer = renderer_for(buffer_of(series)) if has_points_on_device(series) else None
    if renderer is not None:
        spot = (view.x() - window.left) * window.x_scale, (view.y() - window.top) * window.y_scale
        return renderer.closest(x_data, y_data, window, spot)
    count = min(count_of(x_data), count_of(y_data))
    x = to_axis(flat(x_data)[:count], log=ground.log[0])
    y = to_axis(flat(y_data)[:count], log=ground.log[1])
    gaps = np.hypot((x - view.x()) * window.x_scale, (y - view.y()) * window.y_scale)
    return int(np.nanargmin(gaps)) if np.isfinite(gaps).any() else None
