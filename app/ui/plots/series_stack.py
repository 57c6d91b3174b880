"""The items of a plot box's series, made once and used again.

Items are never taken out of the scene: those without a series are hidden until they are needed.
So nothing of Qt is created or destroyed while a script animates a plot.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance

from app.ui.plots.device.series_layers import on_device
from app.ui.plots.plot_box import PlotBox
from app.ui.plots.series_arrays import Exported
from app.ui.plots.series_item import DRAWERS, BoxItem, DeviceItem, SeriesItem
from app.ui.plots.series_pieces import pieces_of
from app.ui.plots.style import Style

Run = tuple[PlotBox, list[Exported], bool]


class SeriesStack:
    """All items in the boxes of one set of axes, the first one at the bottom.

    Attributes:
        items: those that show something.
    """

    def __init__(self, drawn: SignalInstance) -> None:
        self.items: list[BoxItem] = []
        self._spare: list[tuple[PlotBox, BoxItem]] = []
        self._boxes: dict[int, PlotBox] = {}
        self._drawn = drawn

    def show(
        self,
        series: list[Exported],
        box_of: Callable[[Exported], PlotBox],
        axes: Exported,
        style: Style,
        logs: Callable[[PlotBox], tuple[bool, bool]],
    ) -> None:
        """Show these series; consecutive ones on the device share a picture."""
        before = [(self._boxes[id(item)], item) for item in self.items]
        free = [*before, *self._spare]
        self.items, self._boxes = [], {}
        for place, (box, members, device) in enumerate(_runs(series, box_of)):
            item = self._take(free, box, DeviceItem if device else SeriesItem)
            item.log = logs(box)
            item.show_series(members, axes, style)
            item.setZValue(place)
            item.setVisible(True)
            self.items.append(item)
            self._boxes[id(item)] = box
        for _box, item in free:
            item.retire()
            item.setVisible(False)
        self._spare = free

    def show_data(self, series: list[Exported], axes: Exported) -> None:
        """Show other numbers of the same series, all of which are on the device."""
        found = iter([piece for whole in series for piece in pieces_of(whole)])
        for item in self.items:
            if isinstance(item, DeviceItem):
                item.show_data([next(found) for _ in item.series], axes)

    def _take(
        self, free: list[tuple[PlotBox, BoxItem]], box: PlotBox, kind: type[BoxItem]
    ) -> BoxItem:
        for place, (own, item) in enumerate(free):
            if own is box and type(item) is kind:
                del free[place]
                return item
        made = kind()
        made.drawn.connect(self._drawn)
        box.addItem(made, ignoreBounds=True)
        return made


def _runs(series: list[Exported], box_of: Callable[[Exported], PlotBox]) -> list[Run]:
    """Series one by one, those on the device joined as far as they follow each other in a box."""
    found: list[Run] = []
    for item in (piece for whole in series for piece in pieces_of(whole)):
        if item["kind"] not in DRAWERS:
            continue
        box, device = box_of(item), on_device(item)
        if device and found and found[-1][2] and found[-1][0] is box:
            found[-1][1].append(item)
        else:
            found.append((box, [item], device))
    return found
