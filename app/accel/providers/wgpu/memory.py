"""Device buffers: a pool with size classes, and staging for transfers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from app.errors import DeviceLost, OutOfDeviceMemory, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.dtypes import DType
    from app.accel.providers.wgpu.device import Device

LEAST = 256
LARGE = 64 << 20
STEP = 1 << 20
STAGING = 32 << 20
SMALL_READ = 64 << 10


def size_class(nbytes: int) -> int:
    """The pool's size for a request: quarters between powers of two, then whole mebibytes."""
    if nbytes <= LEAST:
        return LEAST
    if nbytes > LARGE:
        return -(-nbytes // STEP) * STEP
    step = max(LEAST, 1 << (nbytes - 1).bit_length() - 3)
    return -(-nbytes // step) * step


@dataclass(slots=True, eq=False)
class DeviceBuffer:
    """Storage of `count` elements in a pooled wgpu buffer.

    Attributes:
        native: the wgpu buffer.
        number: names the wgpu buffer in bind group keys.
    """

    dtype: DType
    count: int
    nbytes: int
    native: Any
    number: int


@dataclass(slots=True)
class Pool:
    """Free buffers by size, and what is out."""

    device: Device
    forget: Callable[[int], None]
    free: dict[int, list[tuple[Any, int]]] = field(default_factory=dict)
    live: int = 0
    live_bytes: int = 0
    pooled_bytes: int = 0
    peak_bytes: int = 0
    allocations: int = 0
    hits: int = 0

    def take(self, dtype: DType, count: int) -> DeviceBuffer:
        """A buffer, contents undefined."""
        nbytes = size_class(max(count, 1) * dtype.size + 16)
        if nbytes > self.device.info.max_binding_bytes:
            if count * dtype.size + 16 > self.device.info.max_binding_bytes:
                raise Unsupported(
                    f"{count * dtype.size} bytes are more than the adapter binds at once "
                    f"({self.device.info.max_binding_bytes})"
                )
            nbytes = -(-(count * dtype.size + 16) // LEAST) * LEAST
        native, number = self._native(nbytes)
        self.live += 1
        self.live_bytes += nbytes
        self.peak_bytes = max(self.peak_bytes, self.live_bytes)
        return DeviceBuffer(dtype, count, nbytes, native, number)

    def _native(self, nbytes: int) -> tuple[Any, int]:
        waiting = self.free.get(nbytes)
        if waiting:
            self.hits += 1
            self.pooled_bytes -= nbytes
            return waiting.pop()
        self.allocations += 1
        return self._create(nbytes), self.allocations

    def _create(self, nbytes: int) -> Any:
        import wgpu

        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
        for last in (False, True):
            try:
                return self.device.native.create_buffer(
                    label=f"fuselab {nbytes}", size=nbytes, usage=usage
                )
            except wgpu.GPUOutOfMemoryError as problem:
                if last:
                    raise OutOfDeviceMemory(nbytes, f"the device has no {nbytes} bytes left: "
                                            f"{problem}") from problem  # fmt: skip
                self.trim()
            except wgpu.GPUError as problem:
                raise DeviceLost(str(problem)) from problem
        raise AssertionError

    def give(self, buffer: DeviceBuffer) -> None:
        """Take a buffer back; work already submitted still has it first."""
        self.live -= 1
        self.live_bytes -= buffer.nbytes
        self.pooled_bytes += buffer.nbytes
        self.free.setdefault(buffer.nbytes, []).append((buffer.native, buffer.number))

    def trim(self) -> None:
        """Destroy the free buffers."""
        for waiting in self.free.values():
            for native, number in waiting:
                self.forget(number)
                native.destroy()
        self.free.clear()
        self.pooled_bytes = 0


@dataclass(slots=True)
class Staging:
    """Two reused buffers through which downloads pass, filled and read in turn."""

    device: Device
    buffers: list[Any] = field(default_factory=list)
    size: int = 0

    def _prepare(self, nbytes: int) -> None:
        import wgpu

        wanted = SMALL_READ if nbytes <= SMALL_READ else min(STAGING, size_class(nbytes))
        if self.size >= wanted:
            return
        self.close()
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self.buffers = [
            self.device.native.create_buffer(label=f"fuselab staging {k}", size=wanted, usage=usage)
            for k in range(2)
        ]
        self.size = wanted

    def read(self, native: Any, start: int, out: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copy bytes of a device buffer (from a multiple of four) into `out`."""
        self._prepare(out.nbytes)
        pieces = [(at, min(self.size, out.nbytes - at)) for at in range(0, out.nbytes, self.size)]
        waiting: list[tuple[Any, Any, int, int]] = []
        for k, (at, nbytes) in enumerate(pieces):
            waiting.append(self._request(self.buffers[k % 2], native, start + at, at, nbytes))
            if len(waiting) == 2:
                self._receive(*waiting.pop(0), out)
        for entry in waiting:
            self._receive(*entry, out)

    def _request(
        self, stage: Any, native: Any, source: int, at: int, nbytes: int
    ) -> tuple[Any, Any, int, int]:
        device = self.device.native
        encoder = device.create_command_encoder()
        encoder.copy_buffer_to_buffer(native, source, stage, 0, -(-nbytes // 4) * 4)
        device.queue.submit([encoder.finish()])
        return stage, map_read(stage, -(-nbytes // 8) * 8), at, nbytes

    def _receive(
        self, stage: Any, promise: Any, at: int, nbytes: int,
        out: np.ndarray[Any, np.dtype[np.uint8]],
    ) -> None:  # fmt: skip
        wait_mapped(self.device, promise)
        size = -(-nbytes // 8) * 8
        out[at : at + nbytes] = np.frombuffer(stage.read_mapped(0, size, copy=False), np.uint8)[
            :nbytes
        ]
        stage.unmap()

    def close(self) -> None:
        """Destroy the buffers."""
        for stage in self.buffers:
            stage.destroy()
        self.buffers, self.size = [], 0


def map_read(buffer: Any, nbytes: int) -> Any:
    """Begin to map a buffer whose copy has been submitted; the caller waits."""
    return buffer.map_async("READ_NOSYNC", 0, nbytes)


def wait_mapped(device: Device, promise: Any) -> None:
    """Wait until a buffer is mapped."""
    device.native._poll_wait()  # noqa: SLF001 - the public wait is broken in wgpu 0.32
    try:
        promise.sync_wait()
    except RuntimeError as problem:
        raise DeviceLost(str(problem)) from problem
