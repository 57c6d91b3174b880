"""Where a kernel stands between the two limits of a device: memory and arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.engine.run_rows import GroupRow, KernelRow

TOLERANCE = 1.25
"""How far above a measured limit a time may lie before it is remarked upon."""
EXCEEDED = (
    "Faster than this device was measured to be: the data came from its cache, or the driver's "
    "time stamps are short."
)


@dataclass(frozen=True)
class Roofs:
    """The limits of a device, per second; 0 when they were not measured.

    Attributes:
        bandwidth: bytes that streaming reaches.
        arithmetic: operations.
    """

    bandwidth: float
    arithmetic: float

    @property
    def ridge(self) -> float:
        """Operations per byte from which on arithmetic is the limit."""
        return self.arithmetic / self.bandwidth if self.bandwidth else 0.0

    def limit(self, intensity: float) -> float:
        """The best rate of operations at so many operations per byte."""
        return min(self.arithmetic, intensity * self.bandwidth)

    def exceeded(self, spot: Spot) -> bool:
        """Whether a kernel seems faster than the device was ever measured to be."""
        return 0.0 < self.limit(spot.intensity) * TOLERANCE < spot.rate


@dataclass(frozen=True)
class Spot:
    """One kernel: operations per byte, and operations per second that it reached."""

    key: str
    label: str
    intensity: float
    rate: float


def roofs_of(speeds: Mapping[str, float], double: bool) -> Roofs:
    """The measured limits of the device in use."""
    arithmetic = speeds.get("device doubles" if double else "device arithmetic") or 0.0
    return Roofs((speeds.get("device bandwidth") or 0.0) * 1000, arithmetic * 1000)


def spots_of(kernels: Iterable[KernelRow], groups: Iterable[GroupRow]) -> list[Spot]:
    """The kernels whose time is known, with the operations of the groups that ran them."""
    work: dict[str | None, tuple[float, float]] = {}
    for group in groups:
        done, moved = work.get(group.kernel, (0.0, 0.0))
        runs = max(group.executions, 1)
        done += float(group.units) * runs
        work[group.kernel] = done, moved + float(group.bytes) * runs
    found = []
    for kernel in kernels:
        done, moved = work.get(kernel.key, (0.0, 0.0))
        spent = kernel.device_ms or 0.0
        if done and moved and spent:
            intensity, rate = done / moved, done / spent * 1000
            found.append(Spot(kernel.key, kernel.label, intensity, rate))
    return found
