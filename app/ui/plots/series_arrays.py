"""Series data in the window: what ``FigureUpdated`` carries, as arrays to draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Exported = dict[str, Any]


def is_device(data: Exported | None) -> bool:
    """Whether data is in a device buffer."""
    return data is not None and data["kind"] == "device"


def count_of(data: Exported | None) -> int:
    """The number of elements."""
    if data is None:
        return 0
    if data["kind"] == "host":
        return int(data["array"].size)
    if data["kind"] == "range":
        return int(data["count"])
    return int(np.prod(data["shape"]))


def host_array(data: Exported) -> Array:
    """Host data as it is; a range as numbers; device data that nothing else can draw is fetched."""
    if data["kind"] == "range":
        return data["start"] + data["step"] * np.arange(data["count"])  # type: ignore[no-any-return]
    if data["kind"] == "device":
        return _fetched_array(data)
    array: Array = data["array"]
    return array


def table(data: Any) -> Array:
    """A matrix: as it is, or fetched from the device for what nothing else can draw."""
    return host_array(data) if isinstance(data, dict) else data


def _fetched_array(data: Exported) -> Array:
    """Device data on the host; counted as downloaded for a plot."""
    pin = data["buffer"]
    if pin.runtime is None:
        return np.full(data["shape"], np.nan)
    flat_values = pin.runtime.gather(pin.node, "plot").reshape(-1, order="F")
    part: Array = flat_values[data["offset"] : data["offset"] + int(np.prod(data["shape"]))]
    return part.reshape(data["shape"], order="F")


def flat(data: Exported | None) -> Array:
    """Host data as one double vector in column-major order; empty for None."""
    return flat_floats(data).astype(np.float64, copy=False)


def flat_floats(data: Exported | None) -> Array:
    """As ``flat``; singles stay singles, so that nothing is copied of very many."""
    if data is None:
        return np.zeros(0)
    values = host_array(data).reshape(-1, order="F")
    return values if values.dtype == np.float32 else values.astype(np.float64, copy=False)


def to_axis(values: Array, *, log: bool) -> Array:
    """Values in the coordinates of an axis: logarithms, where it is logarithmic."""
    if not log:
        return values
    values = values.astype(np.float64, copy=False)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log10(values), np.nan)


@dataclass(frozen=True, slots=True)
class Window:
    """The visible part of axes on a picture.

    Attributes:
        left: coordinate at the left edge (logarithm on a logarithmic axis), right its opposite.
        bottom: coordinate at the bottom edge, top its opposite; both pairs may run either way.
        width: pixels across.
        height: pixels down.
        log_x: whether x is logarithmic.
        log_y: whether y is logarithmic.
    """

    left: float
    right: float
    bottom: float
    top: float
    width: int
    height: int
    log_x: bool = False
    log_y: bool = False

    def wider(self, margin: int, ratio: float) -> Window:
        """The window with pixels more on all sides, in finer pixels."""
        across, up = margin / self.x_scale, margin / -self.y_scale
        width = round(self.width * ratio) + 2 * round(margin * ratio)
        height = round(self.height * ratio) + 2 * round(margin * ratio)
        return Window(
            self.left - across,
            self.right + across,
            self.bottom - up,
            self.top + up,
            width,
            height,
            self.log_x,
            self.log_y,
        )

    def turned(self) -> Window:
        """The window with x and y exchanged: for what lies on its side."""
        return Window(
            self.top,
            self.bottom,
            self.right,
            self.left,
            self.height,
            self.width,
            self.log_y,
            self.log_x,
        )

    @property
    def x_scale(self) -> float:
        """Pixels per unit of x."""
        return self.width / (self.right - self.left)

    @property
    def y_scale(self) -> float:
        """Pixels per unit of y; negative because pictures grow downwards."""
        return -self.height / (self.top - self.bottom)

    def x_pixels(self, x: Array) -> Array:
        """Pictures' x of axis coordinates."""
        return (x - self.left) * self.x_scale

    def y_pixels(self, y: Array) -> Array:
        """Pictures' y of axis coordinates."""
        return (y - self.top) * self.y_scale
