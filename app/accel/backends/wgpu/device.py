"""Adapters and the device: what is there, and one of them opened with just what we use."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any

from app import memory
from app.accel.backends.base import DeviceInfo, cards_among
from app.accel.backends.wgpu.in_flight import Patience
from app.errors import Unsupported
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

WANTED_FEATURES = (
    "shader-f64",
    "shader-int64",
    "timestamp-query",
    "timestamp-query-inside-passes",
    "subgroup",
    "subgroup-barrier",
)
RAISED_LIMITS = (
    "max-buffer-size",
    "max-storage-buffer-binding-size",
    "max-storage-buffers-per-shader-stage",
    "max-compute-workgroup-storage-size",
    "max-compute-invocations-per-workgroup",
    "max-compute-workgroup-size-x",
    "max-compute-workgroups-per-dimension",
)
KINDS = {"DiscreteGPU": "discrete", "IntegratedGPU": "integrated", "CPU": "cpu"}
ORDER = {"discrete": 0, "integrated": 1, "virtual": 2, "cpu": 3}


@contextlib.contextmanager
def _with_runtime_folder() -> Iterator[None]:
    """Give graphics libraries the runtime folder they complain about when it is missing."""
    if "XDG_RUNTIME_DIR" in os.environ:
        yield
        return
    os.environ["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
    try:
        yield
    finally:
        os.environ.pop("XDG_RUNTIME_DIR", None)


def describe(adapter: Any) -> DeviceInfo:
    """An adapter's entry for reports and lists."""
    info, limits, features = adapter.info, adapter.limits, sorted(adapter.features)
    int64 = "shader-int64" in features
    return DeviceInfo(
        name=str(info["device"]),
        vendor=str(info["vendor"]),
        backend=str(info["backend_type"]),
        type=KINDS.get(str(info["adapter_type"]), "virtual"),
        driver=str(info["description"]),
        f64="shader-f64" in features and int64,
        int64=int64,
        max_buffer_bytes=int(limits["max-buffer-size"]),
        max_binding_bytes=int(limits["max-storage-buffer-binding-size"]),
        features=tuple(features),
        provider="wgpu",
        max_storage_bindings=int(limits["max-storage-buffers-per-shader-stage"]),
        workgroup_bytes=int(limits["max-compute-workgroup-storage-size"]),
        workgroup_lanes=min(
            int(limits["max-compute-invocations-per-workgroup"]),
            int(limits["max-compute-workgroup-size-x"]),
        ),
    )


@cache
def _leave_out_opengl() -> None:
    """Adapters of OpenGL are of no use here, and to look for them takes long.

    The interpreter stands still meanwhile, for up to 50 ms at a time.
    """
    from wgpu.backends.wgpu_native.extras import set_instance_extras

    with contextlib.suppress(RuntimeError):  # somebody else has looked before us
        set_instance_extras(backends=("Primary",))


def _usable_adapters() -> list[tuple[DeviceInfo, Any]]:
    """All adapters with compute, the fastest kind first; none of OpenGL."""
    with _with_runtime_folder():
        import wgpu

        wgpu.logger.setLevel(logging.CRITICAL)  # its errors reach us as exceptions
        _leave_out_opengl()
        every = [(describe(a), a) for a in wgpu.gpu.enumerate_adapters_sync()]
    modern = [pair for pair in every if not pair[0].backend.startswith("OpenGL")]
    return sorted(modern, key=lambda pair: ORDER[pair[0].type])


def adapters() -> list[DeviceInfo]:
    """Every usable adapter, best first; empty where wgpu cannot be loaded."""
    try:
        return [info for info, _ in _usable_adapters()]
    except (ImportError, OSError, RuntimeError):
        logging.getLogger("fuselab.gpu").info("wgpu cannot be used", exc_info=True)
        return []


def subgroup_lanes(info: DeviceInfo) -> int:
    """Lanes that every subgroup has: 32, or at least 8; 0 without operations across them.

    wgpu reports 4 to 128 for every adapter.
    """
    if not {"subgroup", "subgroup-barrier"} <= set(info.features):
        return 0
    return 32 if info.vendor.lower().startswith(("nvidia", "apple")) else 8


@record
class Device:
    """An open device.

    Attributes:
        info: what it is, with the features and limits in force.
        native: the wgpu device.
        lock: held around every use; a renderer that shares the device holds it too.
        stamps: whether time stamps can be written between dispatches.
        patience: how the engine waits for it.
    """

    info: DeviceInfo
    native: Any
    lock: RLock
    stamps: bool
    patience: Patience


CARD = "gpu:"
"""How the name of a card by its number begins: ``gpu:2`` is the second one."""


def choose(name: str) -> tuple[DeviceInfo, Any]:
    """The best adapter, the best one whose name contains `name`, or a card by its number."""
    found = _usable_adapters()
    if name.startswith(CARD):
        number = name.removeprefix(CARD)
        cards = cards_among([info for info, _ in found])
        place = int(number) - 1 if number.isdecimal() else -1
        found = [found[cards[place]]] if 0 <= place < len(cards) else []
    elif name not in {"", "auto", "gpu"}:
        wanted = name.casefold()
        found = [p for p in found if wanted in f"{p[0].name} {p[0].driver}".casefold()]
    if not found:
        raise Unsupported(f"no adapter for '{name}'")
    return found[0]


def open_device(name: str = "auto") -> Device:
    """Open an adapter. Raises Unsupported where there is none or it refuses."""
    memory.share_heaps()  # shaders are compiled in threads
    try:
        info, adapter = choose(name)
        features = [f for f in WANTED_FEATURES if f in info.features]
        limits = {key: adapter.limits[key] for key in RAISED_LIMITS}
        with _with_runtime_folder():
            native = adapter.request_device_sync(
                label="fuselab", required_features=features, required_limits=limits
            )
    except (ImportError, OSError, RuntimeError) as problem:
        raise Unsupported(f"wgpu: {problem}") from problem
    poller = getattr(native, "_poller", None)
    if poller is not None:
        poller.name = "fuselab-pool-wgpu"
    stamps = {"timestamp-query", "timestamp-query-inside-passes"} <= set(features)
    lock = RLock()
    return Device(info, native, lock, stamps, Patience(lock))
