"""What a figure cost: points drawn, bytes of data that crossed the bus, time of a frame.

All of it is counted: points and times by the renderers, bytes by the series' data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.ui.plots.canvas import FigureItem
from app.ui.plots.device.series_layers import on_device
from app.ui.plots.device.surfaces_3d import space_on_device
from app.ui.plots.host.projection import is_space
from app.ui.plots.series_arrays import Exported, count_of
from app.ui.plots.series_pieces import MADE, pieces_of
from app.ui.support import formats

SEPARATOR = "  ·  "


@dataclass(frozen=True, slots=True)
class Cost:
    """The account of one figure.

    Attributes:
        points: data points drawn.
        device_points: those read from device buffers.
        moved_bytes: bytes of data that were downloaded to draw.
        frame_ms: time of the last frames on the device; None when the device draws nothing.
    """

    points: int
    device_points: int
    moved_bytes: int
    frame_ms: float | None

    def text(self) -> str:
        """The whole badge."""
        return SEPARATOR.join(self.parts())

    def parts(self) -> list[str]:
        """What the badge says, the most telling things first; nothing where no data are drawn."""
        if not self.points:
            return []
        parts = [formats.plural(self.points, "point")]
        if self.device_points:
            parts.append(f"{formats.bytes_text(self.moved_bytes)} over the bus")
        elif self.moved_bytes:
            parts.append(f"{formats.bytes_text(self.moved_bytes)} downloaded")
        else:
            parts.append("from main memory")
        if self.frame_ms is not None:
            parts.append(f"frame {formats.milliseconds(self.frame_ms)}")
        return parts

    def tip(self) -> str:
        """What the badge means."""
        if not self.points:
            return ""
        if not self.device_points:
            return "Drawn by the host: the data was in main memory."
        return (
            f"{formats.count(self.device_points)} points were read from GPU buffers where they "
            "are. Only the finished picture came back."
        )


def _data_of(series: Exported) -> list[Exported]:
    """The numbers of a series, without what was made of them."""
    found = [
        value
        for name, value in series.items()
        if isinstance(value, dict) and "kind" in value and not name.endswith(MADE)
    ]
    data = [data for data in found if data["kind"] in ("host", "device", "range")]
    if isinstance(series.get("Vertices"), dict):  # which hold the coordinates
        names = "Vertices", "Faces", "FaceVertexCData"
        data = [series[name] for name in names if isinstance(series[name], dict)]
    return data


def _count(series: Exported, data: list[Exported]) -> int:
    """The points of a series: the vertices of polygons."""
    if series["kind"] == "patch":
        kept = series["Vertices"]
        return int(kept["shape"][0] if isinstance(kept, dict) else len(kept))
    return max((count_of(item) for item in data), default=0)


def drawn_there(axes: Exported, series: Exported) -> bool:
    """Whether the device draws a series of these axes."""
    check = space_on_device if is_space(axes) else on_device
    return all(check(piece) for piece in pieces_of(series))


def bytes_of(data: Exported) -> int:
    """The size of device data."""
    return count_of(data) * int(np.dtype(data["dtype"]).itemsize)


def cost_of(figure: FigureItem) -> Cost:
    """The account of what a figure shows now."""
    points = device = moved = 0
    for child in figure.model["children"]:
        for series in child.get("children", ()):
            data = _data_of(series)
            count = _count(series, data)
            points += count
            resident = [item for item in data if item["kind"] == "device"]
            if resident and "boxes" in series:  # drawn from a few numbers that came down
                device += count
                moved += sum(8 * (6 + len(box["outliers"])) for box in series["boxes"])
                continue
            if not resident:
                pass
            elif series["kind"] == "histogram" or drawn_there(child, series):
                device += count  # of a histogram, whose data is counted there, too
            else:  # the host draws it: all of it was fetched
                moved += sum(bytes_of(item) for item in resident)
            moved += sum(item.get("moved_bytes", 0) for item in data)
    frames = [item.frame for axes in figure.axes.values() for item in axes.device_items]
    frames += [axes.space.device.frame for axes in figure.axes.values() if axes.space is not None]
    drawn = [frame.milliseconds for frame in frames if frame is not None]
    return Cost(points, device, moved, sum(drawn) if drawn else None)
