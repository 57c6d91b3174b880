"""The data tips that a script has put on points of its charts."""

from __future__ import annotations

from collections.abc import Iterable

from app.ui.plots.axes_item import AxesItem
from app.ui.plots.data_tip import DataTip, sample_of


class PinnedTips:
    """Shows them in all axes of a figure; boxes that are not needed wait, hidden."""

    def __init__(self) -> None:
        self._tips: dict[AxesItem, list[DataTip]] = {}

    def show(self, shown: Iterable[AxesItem]) -> None:
        """Show those of the axes as they are now."""
        for tips in self._tips.values():
            for tip in tips:
                tip.setVisible(False)
        for axes in shown:
            self._show_in(axes)

    def _show_in(self, axes: AxesItem) -> None:
        wanted = [
            (series, pin)
            for series in axes.model["children"]
            if series["Visible"]
            for pin in series.get("pinned", ())
        ]
        boxes = self._tips.setdefault(axes, []) if wanted else []
        boxes += [DataTip(axes) for _ in wanted[len(boxes) :]]
        for box, (series, pin) in zip(boxes, wanted, strict=False):
            sample = sample_of(axes, series, pin["index"])
            if sample is not None:
                box.location = pin["location"]
                box.show_sample(sample)

    def said(self) -> list[str]:
        """What the tips say that are seen."""
        return [t.sample.text for tips in self._tips.values() for t in tips if t.isVisible()]
