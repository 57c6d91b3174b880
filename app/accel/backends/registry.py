"""The kinds of machines that kernels can run on beside the host, and the one place that lists them.

A backend is a package below this one, or one of another distribution that names it by an entry
point of the group ``fuselab.backends``. Planner, executor and reports know devices by
`base.Provider` and `base.DeviceInfo` alone. `docs/adding_a_backend.md` goes through one.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from app.errors import Unsupported

if TYPE_CHECKING:
    from pathlib import Path

    from app.accel.backends.base import DeviceInfo, Provider
    from app.settings import Settings

GROUP = "fuselab.backends"
OURS = ("app.accel.backends.wgpu",)
"""Modules with a `BACKEND`, the preferred one first."""


class Backend(Protocol):
    """What opens the devices of one kind."""

    name: str
    """As settings and reports call it: `DeviceInfo.provider` of its devices."""

    def adapters(self) -> list[DeviceInfo]:
        """Every usable device, best first; empty where the backend cannot be used here."""

    def open(self, name: str, settings: Settings | None, folder: Path | None) -> Provider:
        """The device that ``auto``, ``gpu``, ``gpu:2`` or a part of its name means.

        `folder` is where kernels may be kept from run to run. Raises Unsupported where there is no
        such device.
        """


@cache
def backends() -> list[Backend]:
    """All backends that can be loaded, the preferred one first."""
    from importlib.metadata import entry_points

    found: list[Backend] = []
    for module in OURS:
        try:
            found.append(import_module(module).BACKEND)
        except ImportError:
            logging.getLogger("fuselab.gpu").info("%s cannot be loaded", module, exc_info=True)
    return found + [point.load() for point in entry_points(group=GROUP)]


def adapters() -> list[DeviceInfo]:
    """Every usable device of every backend."""
    return [info for backend in backends() for info in backend.adapters()]


def open_device(
    name: str, settings: Settings | None = None, folder: Path | None = None
) -> Provider:
    """The device that a name means: a backend's own name, or what one of them knows.

    Raises Unsupported where there is none.
    """
    for backend in backends():
        if backend.name == name:
            return backend.open("auto", settings, folder)
    problem = Unsupported(f"no backend can be loaded for '{name}'")
    for backend in backends():
        try:
            return backend.open(name, settings, folder)
        except Unsupported as refused:
            problem = refused
    raise problem
