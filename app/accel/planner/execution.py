"""What the planner knows of whoever runs its plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.backends.base import Provider
    from app.accel.backends.host.host_provider import HostProvider
    from app.accel.backends.residency import Residency
    from app.accel.ir.plan import KernelRequest
    from app.accel.support.telemetry import Recorder


class HostedKernels(Protocol):
    """Kernels that the host has been prepared for."""

    def compiled(self, kernel: KernelRequest) -> bool:
        """Whether the host has machine code for a kernel."""


class Execution(Protocol):
    """The machines that run plans, and the account of what ran."""

    @property
    def recorder(self) -> Recorder:
        """Where counters, groups and events are noted."""

    @property
    def residency(self) -> Residency:
        """Where the values of nodes are."""

    @property
    def host(self) -> HostProvider:
        """The host; it is always there."""

    @property
    def device(self) -> Provider | None:
        """The device, once one is open."""

    @property
    def hosted(self) -> HostedKernels:
        """What the host has been prepared for."""

    @property
    def poll(self) -> Callable[[], None]:
        """What raises Interrupted where somebody has asked to stop."""

    def attach(self, provider: Provider, budget: int) -> None:
        """Run on this device from now on, with at most `budget` live bytes; 0 for no limit."""

    def detach(self) -> Provider | None:
        """Forget the device and everything made for it; gives the device."""

    def disregard_submissions(self) -> None:
        """Do not count what was submitted since the last plan ran."""
