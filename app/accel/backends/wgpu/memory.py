"""Device buffers: a pool with size classes, and staging for transfers."""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from app.accel.backends.wgpu.commands import Commands
from app.accel.backends.wgpu.native_calls import SPIN_S, Mapping, is_idle, mapped_memory, unmap
from app.accel.codegen.tiling import ALIGNED
from app.errors import DeviceLost, OutOfDeviceMemory

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.backends.wgpu.device import Device
    from app.accel.ir.dtypes import DType

Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

LEAST = 256
LARGE = 64 << 20
STEP = 1 << 20
STAGING = 32 << 20
SMALL_READ = 64 << 10
PARALLEL = 4 << 20
COPIERS = max(2, min(8, (os.cpu_count() or 2) // 2))
LARGE_WRITE = 4 << 20
WRITING = 8 << 20
"""Bytes of one buffer through which uploads pass; each is filled by one thread."""
WRITERS = COPIERS + 4


@lru_cache(4096)
def size_class(nbytes: int) -> int:
    """The pool's size for a request: quarters between powers of two, then whole mebibytes."""
    if nbytes <= LEAST:
        return LEAST
    if nbytes > LARGE:
        return -(-nbytes // STEP) * STEP
    step = max(LEAST, 1 << (nbytes - 1).bit_length() - 3)
    return -(-nbytes // step) * step


@dataclass(slots=True, eq=False, weakref_slot=True)
class DeviceBuffer:
    """Storage of `count` elements in a pooled wgpu buffer.

    Attributes:
        native: the wgpu buffer.
        number: names the wgpu buffer in bind group keys.
        start: first byte that is bound; more than 0 in a window on a larger buffer.
        parts: the buffers of an array that is larger than one; it has no native buffer then.
        place: what is bound: number, first byte, bytes.
    """

    dtype: DType
    count: int
    nbytes: int
    native: Any
    number: int
    start: int = 0
    parts: tuple[DeviceBuffer, ...] = ()
    place: tuple[int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.place = self.number, self.start, self.nbytes


@dataclass(slots=True)
class Pool:
    """Free buffers by size, and what is out.

    Of free buffers of one size the oldest is taken. So what is taken depends on which are free, not
    on the order in which they became so, and a program that runs again gets the buffers it had: all
    bind groups over them are there.

    Attributes:
        free: by size, heaps of buffers with their numbers.
        sending: whether work is being handed in that may use what is free.
    """

    device: Device
    forget: Callable[[int], None]
    free: dict[int, list[tuple[int, Any]]] = field(default_factory=dict)
    live: int = 0
    live_bytes: int = 0
    pooled_bytes: int = 0
    peak_bytes: int = 0
    allocations: int = 0
    hits: int = 0
    sending: bool = False

    def take(self, dtype: DType, count: int) -> DeviceBuffer:
        """A buffer, contents undefined."""
        needed = count * dtype.size + 16
        nbytes = size_class(max(needed, LEAST))
        info = self.device.info
        if needed > info.max_buffer_bytes:
            return self._in_parts(dtype, count)
        if needed <= info.max_binding_bytes < nbytes or nbytes > info.max_buffer_bytes:
            nbytes = -(-needed // 16) * 16
        number, native = self._native(nbytes)
        self.live += 1
        self.live_bytes += nbytes
        self.peak_bytes = max(self.peak_bytes, self.live_bytes)
        return DeviceBuffer(dtype, count, nbytes, native, number)

    def _in_parts(self, dtype: DType, count: int) -> DeviceBuffer:
        """Several buffers for one array."""
        each = (self.device.info.max_buffer_bytes - 16) // (dtype.size * ALIGNED) * ALIGNED
        parts: list[DeviceBuffer] = []
        try:
            parts.extend(
                self.take(dtype, min(each, count - first)) for first in range(0, count, each)
            )
        except OutOfDeviceMemory:
            for part in parts:
                self.give(part)
            raise
        nbytes = sum(part.nbytes for part in parts)
        return DeviceBuffer(dtype, count, nbytes, None, -parts[0].number, parts=tuple(parts))

    def _native(self, nbytes: int) -> tuple[int, Any]:
        waiting = self.free.get(nbytes)
        if waiting:
            self.hits += 1
            self.pooled_bytes -= nbytes
            return heappop(waiting)
        import wgpu

        self.allocations += 1
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
        return self.allocations, self.native_buffer(f"fuselab {nbytes}", nbytes, usage)

    def native_buffer(
        self, label: str, nbytes: int, usage: int, *, mapped_at_creation: bool = False
    ) -> Any:
        """A buffer that is none of the pool's; what is free makes room for it if need be.

        Raises OutOfDeviceMemory, DeviceLost.
        """
        import wgpu

        while True:
            try:
                return self.device.native.create_buffer(
                    label=label, size=nbytes, usage=usage, mapped_at_creation=mapped_at_creation
                )
            except wgpu.GPUOutOfMemoryError as problem:
                if not self.pooled_bytes or self.sending:
                    raise OutOfDeviceMemory(
                        nbytes, f"the device has no {nbytes} bytes left: {problem}"
                    ) from problem
                self.trim()
            except wgpu.GPUError as problem:
                raise DeviceLost(str(problem)) from problem

    def give(self, buffer: DeviceBuffer) -> None:
        """Take a buffer back; work already submitted still has it first."""
        if buffer.parts:
            for part in buffer.parts:
                self.give(part)
            return
        self.live -= 1
        self.live_bytes -= buffer.nbytes
        self.pooled_bytes += buffer.nbytes
        heappush(self.free.setdefault(buffer.nbytes, []), (buffer.number, buffer.native))

    def trim(self) -> None:
        """Destroy the free buffers."""
        for waiting in self.free.values():
            for number, native in waiting:
                self.forget(number)
                native.destroy()
        self.free.clear()
        self.pooled_bytes = 0


class Sending:
    """While work is handed in: if there is no memory for it, what it was to compute is lost."""

    __slots__ = ("_pool",)

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def __enter__(self) -> None:
        self._pool.sending = True

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        self._pool.sending = False
        if isinstance(problem, OutOfDeviceMemory):
            raise DeviceLost(str(problem)) from problem


class Copier:
    """Copies bytes with several threads where there are many."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None

    def copy(self, target: Bytes, source: Bytes) -> None:
        """``target[:] = source``."""
        if source.nbytes < PARALLEL:
            target[:] = source
            return
        step = -(-source.nbytes // COPIERS)
        parts = [slice(at, at + step) for at in range(0, source.nbytes, step)]
        for done in [self.begin(target[p], source[p]) for p in parts]:
            done.result()

    def begin(self, target: Bytes, source: Bytes) -> Future[None]:
        """The same by another thread, without waiting for it."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(COPIERS, "fuselab-pool-copy")
        return self._pool.submit(np.copyto, target, source)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


@dataclass(slots=True)
class Readers:
    """The buffers of one read at a time.

    Attributes:
        size: bytes of each.
        buffers: two, or none yet.
    """

    size: int = 0
    buffers: list[Any] = field(default_factory=list)

    def destroy(self) -> None:
        """Destroy the buffers."""
        for stage in self.buffers:
            stage.destroy()
        self.size, self.buffers = 0, []


class Staging:
    """Reused mapped buffers through which transfers pass, filled and emptied in turn.

    While one is copied on the host, the device copies the other. Whoever waits for the device lets
    others have it: buffers that are in use are not here, where another thread would take them.
    """

    def __init__(self, device: Device, pool: Pool) -> None:
        self.device, self.pool = device, pool
        self.copier = Copier()
        self.readers = Readers()
        self.writers: list[tuple[Any, Mapping]] = []
        self.closed = False

    def read(self, native: Any, start: int, out: Bytes) -> None:
        """Copy bytes of a device buffer (from a multiple of four) into `out`."""
        readers, self.readers = self.readers, Readers()
        try:
            self._prepare(readers, out.nbytes)
            self._read(readers, native, start, out)
        except BaseException:  # what was asked of them may still be on its way
            readers.destroy()
            raise
        if self.closed or self.readers.size > readers.size:
            readers.destroy()
        else:
            self.readers.destroy()
            self.readers = readers

    def _read(self, readers: Readers, native: object, start: int, out: Bytes) -> None:
        size, waiting = readers.size, list[tuple[Mapping, int, int]]()
        for k, at in enumerate(range(0, out.nbytes, size)):
            nbytes, stage = min(size, out.nbytes - at), readers.buffers[k % 2]
            waiting.append(self._request(stage, native, start + at, at, nbytes))
            if len(waiting) == 2:
                self._receive(waiting, out)
        while waiting:
            self._receive(waiting, out)

    def _prepare(self, readers: Readers, nbytes: int) -> None:
        wanted = SMALL_READ if nbytes <= SMALL_READ else min(STAGING, size_class(nbytes))
        if readers.size >= wanted:
            return
        readers.destroy()
        try:
            self._make_buffers(readers, wanted)
        except OutOfDeviceMemory:  # what lies there can be had in small pieces
            readers.destroy()
            self._make_buffers(readers, SMALL_READ)

    def _make_buffers(self, readers: Readers, size: int) -> None:
        import wgpu

        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        for k in range(2):
            made = self.pool.native_buffer(f"fuselab staging {k}", size, usage)
            readers.buffers.append(made)
        readers.size = size

    def _request(
        self, stage: Any, native: Any, source: int, at: int, nbytes: int
    ) -> tuple[Mapping, int, int]:
        device = self.device.native
        commands = Commands(device)
        commands.copy(native, source, stage, 0, -(-nbytes // 4) * 4)
        commands.send(device.queue)
        return Mapping(stage, -(-nbytes // 8) * 8, Mapping.READ), at, nbytes

    def _receive(self, waiting: list[tuple[Mapping, int, int]], out: Bytes) -> None:
        """Take the oldest of what was asked for; who gives up asks for none of it."""
        try:
            wait_mapped(self.device, waiting[0][0])
        except BaseException:
            for mapping, _, _ in waiting:
                mapping.release()
            raise
        mapping, at, nbytes = waiting.pop(0)
        self.copier.copy(out[at : at + nbytes], mapping.memory()[:nbytes])
        mapping.release()

    def write(self, native: Any, start: int, raw: Bytes) -> None:
        """Copy whole words into a device buffer (from a multiple of four)."""
        if raw.nbytes < LARGE_WRITE:
            self.device.native.queue.write_buffer(native, start, raw)
            return
        filling: deque[tuple[Any, Future[None], int, int]] = deque()
        try:
            for at in range(0, raw.nbytes, WRITING):
                if len(filling) == COPIERS:
                    self._copy_filled(native, start, filling.popleft())
                piece, stage = raw[at : at + WRITING], self._writer(len(filling))
                target = mapped_memory(stage, WRITING)[: piece.nbytes]
                filling.append((stage, self.copier.begin(target, piece), at, piece.nbytes))
            while filling:
                self._copy_filled(native, start, filling.popleft())
        finally:  # nobody may write to a buffer that is given up
            for _, filled, _, _ in filling:
                filled.result()

    def _copy_filled(
        self, native: Any, start: int, entry: tuple[Any, Future[None], int, int]
    ) -> None:
        """A buffer has been filled: the device copies it while others are being filled."""
        stage, filled, at, nbytes = entry
        filled.result()
        unmap(stage)
        commands = Commands(self.device.native)
        commands.copy(stage, 0, native, start + at, nbytes)
        commands.send(self.device.native.queue)
        self.writers.append((stage, Mapping(stage, WRITING, Mapping.WRITE)))

    def _writer(self, filling: int) -> Any:
        """A mapped buffer to write to: a new one, or the one whose copy is oldest."""
        import wgpu

        if len(self.writers) + filling < WRITERS:
            usage = wgpu.BufferUsage.MAP_WRITE | wgpu.BufferUsage.COPY_SRC
            return self.pool.native_buffer(
                "fuselab upload", WRITING, usage, mapped_at_creation=True
            )
        stage, mapping = oldest = self.writers.pop(0)
        try:
            wait_mapped(self.device, mapping)
        except BaseException:
            self.writers.insert(0, oldest)
            raise
        return stage

    def close(self) -> None:
        """Destroy the buffers."""
        self.closed = True
        self.readers.destroy()
        for stage, _ in self.writers:
            stage.destroy()
        self.writers = []
        self.copier.close()


SILENCE_S = 5.0
"""How long a device without work may keep an answer back; it comes with the work's end."""
LOOK_S = 0.1
"""The most that counts of the time between two looks: longer, this process had no turn."""


def wait_mapped(device: Device, mapping: Mapping, group: int = 0) -> None:
    """Wait until a buffer is mapped, whose values `group` makes.

    Raises:
        Interrupted: a stop is wanted.
        DeviceLost: the buffer cannot be mapped, or all work is done and nobody calls back.
    """
    silent, looked = 0.0, time.monotonic()

    def arrived() -> bool:
        nonlocal silent, looked
        idle = is_idle(device.native)  # it calls back whoever waits for a buffer
        now = time.monotonic()
        silent = silent + min(now - looked, LOOK_S) if idle else 0.0
        looked = now
        if not mapping.done and silent > SILENCE_S:
            raise DeviceLost("the device has done all its work and does not answer")
        return mapping.done

    spin = SPIN_S if device.info.type != "cpu" else 0.0
    device.patience.until(arrived, "device", group, spin_s=spin)
    if mapping.message:
        raise DeviceLost(mapping.message)
