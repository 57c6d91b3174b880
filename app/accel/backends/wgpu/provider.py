"""`WgpuProvider`: the provider protocol over one wgpu device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.backends.base import ProviderStatistics
from app.accel.backends.wgpu import cffi_cache
from app.accel.backends.wgpu.device import Device, open_device, subgroup_lanes
from app.accel.backends.wgpu.launch_sequences import LaunchSequence, SequencePlayer
from app.accel.backends.wgpu.memory import Pool, Staging
from app.accel.backends.wgpu.native_calls import SPIN_S, is_idle, read_back
from app.accel.backends.wgpu.pipeline_warmup import PipelineWarmup, store_file
from app.accel.backends.wgpu.pipelines import Compiler
from app.accel.backends.wgpu.split_buffers import stretches
from app.accel.backends.wgpu.submission import Encoder, WgpuSubmission
from app.accel.codegen.wgsl.layout import LONG, WIDE, Abilities
from app.accel.codegen.wgsl.tuning import Tuning
from app.accel.ir.dtypes import DType
from app.errors import DeviceLost, OutOfDeviceMemory, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from threading import RLock

    from numpy.typing import NDArray

    from app.accel.backends.base import Buffer, Changes, DeviceInfo, Player, Tell
    from app.accel.backends.wgpu.in_flight import Patience
    from app.accel.backends.wgpu.memory import DeviceBuffer
    from app.accel.backends.wgpu.pipelines import WgpuPipeline
    from app.accel.ir.plan import Dispatch, KernelRequest


class Faults:
    """What tests make go wrong: the next so many allocations, every shader, the device itself."""

    def __init__(self) -> None:
        self.allocations = 0
        self.shaders = False
        self.lost = False


class Use:
    """Holds the device's lock; what wgpu complains of meanwhile means that the device is gone."""

    __slots__ = ("check", "lock", "patience")

    def __init__(self, lock: RLock, patience: Patience, check: Callable[[], None]) -> None:
        self.lock, self.patience, self.check = lock, patience, check

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):  # somebody draws
            self.patience.until(lambda: self.lock.acquire(blocking=False), "device")
        try:
            self.check()
        except DeviceLost:
            self.lock.release()
            raise

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        self.lock.release()
        if isinstance(problem, Exception):
            import wgpu

            if isinstance(problem, wgpu.GPUError):  # work handed in before may be lost with it
                raise DeviceLost(str(problem)) from problem


class LockedPlayer:
    """Plays sequences under the device's lock."""

    def __init__(self, sequences: SequencePlayer, use: Use) -> None:
        self._sequences, self._use = sequences, use
        self.variant, self.most = sequences.variant, sequences.most
        self.storage, self.label = sequences.storage, sequences.label
        self.serves = sequences.serves

    def prepare(self, dispatches: Sequence[Dispatch]) -> LaunchSequence:
        """See `Player`."""
        with self._use:
            return self._sequences.prepare(dispatches)

    def recorded(self, dispatches: Sequence[Dispatch]) -> list[LaunchSequence] | None:
        """See `Player`."""
        with self._use:
            return self._sequences.recorded(dispatches)

    def again(
        self,
        played: Sequence[LaunchSequence],
        parameters: Sequence[tuple[int, Sequence[complex]]],
        wanted: Sequence[Buffer],
        *,
        awaited: bool,
    ) -> WgpuSubmission | None:
        """See `Player`."""
        with self._use:
            return self._sequences.again(played, parameters, wanted, awaited=awaited)

    def play(
        self, sequences: Sequence[LaunchSequence], changes: Changes, wanted: Sequence[Buffer]
    ) -> list[WgpuSubmission]:
        """See `Player`."""
        with self._use:
            return self._sequences.play(sequences, changes, wanted)


class WgpuProvider:
    """A device reached by wgpu.

    Attributes:
        info: what the device is.
        lock: held around every use of the device; whoever draws with it holds it as well.
        faults: switches for tests.
        player: plays dispatches that repeat.
    """

    def __init__(
        self, device: Device, tuning: Tuning | None = None, cache: Path | None = None
    ) -> None:
        self._device = device
        self.info: DeviceInfo = device.info
        self.lock: RLock = device.lock
        self.faults = Faults()
        self._use = Use(device.lock, device.patience, self._check)
        self._pool = Pool(device, self._forget)
        self._staging = Staging(device, self._pool)
        chosen = tuning or Tuning()
        if self.info.type == "cpu":
            chosen = chosen.for_processor()
        abilities = Abilities(
            self.info.f64,
            self.info.int64,
            fused=not chosen.cpu,
            fast=chosen.fast_maths,
            workgroup_bytes=0 if chosen.cpu else self.info.workgroup_bytes,
            workgroup_lanes=self.info.workgroup_lanes,
            subgroup_lanes=0 if chosen.cpu else subgroup_lanes(self.info),
        )
        self._compiler = Compiler(device, abilities, chosen)
        self._encoder = Encoder(device, self._compiler, self._pool)
        self._encoder.open()
        self.player: Player[LaunchSequence] | None = LockedPlayer(
            SequencePlayer(self._encoder), self._use
        )
        self._closed = False
        self._warmer: PipelineWarmup | None = None
        if cache is not None:
            self._warmer = PipelineWarmup(store_file(cache, self.info.fingerprint), self._compiler)

    def _forget(self, number: int) -> None:
        self._encoder.forget(number)

    def _check(self) -> None:
        if self.faults.lost or self._closed:
            raise DeviceLost(f"{self.info.name} stopped answering")

    def tell_waits(self, tell: Tell) -> None:
        """Call `tell` while the engine waits; what is under way when it raises goes on."""
        self._device.patience.tell = tell

    @property
    def submitted(self) -> int:
        """Command buffers submitted."""
        return self._encoder.submits

    def expect(self, script: str) -> None:
        """A script begins: what it used the last time is compiled in the background."""
        with self.lock:
            if self._warmer is not None and not self._closed:
                self._warmer.expect(script)

    def supports(self, dtype: DType) -> bool:
        """Whether kernels can hold values of this type."""
        if dtype in WIDE:
            return self.info.f64
        return self.info.int64 if dtype in LONG else True

    def allocate(self, dtype: DType, count: int) -> DeviceBuffer:
        """A buffer from the pool, which says itself what goes wrong."""
        with self.lock:
            self._check()
            if self.faults.allocations:
                self.faults.allocations -= 1
                raise OutOfDeviceMemory(count * dtype.size, "out of memory (a test says so)")
            return self._pool.take(dtype, count)

    def free(self, buffer: DeviceBuffer) -> None:
        """Return a buffer to the pool."""
        with self.lock:
            if not self._closed:
                self._pool.give(buffer)

    def upload(self, buffer: DeviceBuffer, data: NDArray[Any], start: int = 0) -> None:
        """Write elements from `start` on."""
        with self._use:
            self._encoder.flush()  # a write overtakes what is not on its way yet
            self._encoder.in_flight.await_long()
            self._encoder.busy, self._encoder.latest = True, None
            self._encoder.answers.pop(buffer, None)
            raw = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
            size = buffer.dtype.size
            for part, at, done, count in stretches(buffer, start, raw.nbytes // size):
                self._write(part, at * size, raw[done * size : (done + count) * size])

    def _write(self, buffer: DeviceBuffer, at: int, raw: NDArray[np.uint8]) -> None:
        """Writes are of whole words: the first and the last are merged with what is there."""
        head, tail = at % 4, -(at + raw.nbytes) % 4
        if head or (tail and at + raw.nbytes < buffer.count * buffer.dtype.size):
            whole = np.empty(head + raw.nbytes + tail, np.uint8)
            self._staging.read(buffer.native, at - head, whole)
            whole[head : head + raw.nbytes] = raw
            raw, at = whole, at - head
        elif tail:
            raw = np.concatenate((raw, np.zeros(tail, np.uint8)))
        if raw.nbytes:
            self._staging.write(buffer.native, at, raw)

    def download(
        self,
        buffer: DeviceBuffer,
        start: int = 0,
        count: int | None = None,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Read elements; waits for pending work."""
        number = buffer.count - start if count is None else count
        size = buffer.dtype.size
        if out is None:
            out = np.empty(number, buffer.dtype.numpy)
        if not number:
            return out
        with self._use:
            raw, known = out.view(np.uint8), self._encoder.answer(buffer)
            if known is not None:
                raw[:] = known[start * size : (start + number) * size]
                return out
            self._encoder.request_results()
            self._encoder.in_flight.await_long()
            try:
                for part, at, done, length in stretches(buffer, start, number):
                    self._read(part, at * size, raw[done * size : (done + length) * size])
            except OutOfDeviceMemory as problem:  # what cannot be fetched is lost
                raise DeviceLost(str(problem)) from problem
        return out

    def _read(self, buffer: DeviceBuffer, at: int, out: NDArray[np.uint8]) -> None:
        """Reads begin at whole words."""
        head = at % 4
        if not head:
            self._staging.read(buffer.native, at, out)
            return
        raw = np.empty(head + out.nbytes, np.uint8)
        self._staging.read(buffer.native, at - head, raw)
        out[:] = raw[head:]

    def prepare(self, kernel: KernelRequest, like: Dispatch | None = None) -> WgpuPipeline:
        """The compiled kernel."""
        with self._use:
            self._compiler.reject = self.faults.shaders
            return self._compiler.prepare(kernel, like)

    def ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        """Whether a dispatch like this can begin at once."""
        return self._compiler.ready(kernel, like)

    def anticipate(self, kernel: KernelRequest, like: Dispatch) -> None:
        """Compile in the background what a dispatch like this needs."""
        self._compiler.anticipate(kernel, like)

    def submit(
        self,
        dispatches: Sequence[Dispatch],
        wanted: Sequence[DeviceBuffer] = (),
        *,
        awaited: bool = True,
    ) -> WgpuSubmission:
        """Hand in work without waiting; it goes out within a millisecond of work handed in."""
        with self._use:
            return self._encoder.submit(dispatches, wanted, awaited=awaited)

    def status(self, submission: WgpuSubmission) -> tuple[bool, ...]:
        """Per dispatch, whether a guard left its domain."""
        if not any(submission.guarded):
            return (False,) * len(submission.guarded)
        with self._use:
            return self._encoder.left(submission)

    @property
    def idle(self) -> bool:
        """Whether all work handed in so far is known to be done."""
        return not self._encoder.busy and not self._encoder.waiting

    def synchronize(self) -> None:
        """Wait until all submitted work is done."""
        with self._use:
            self._encoder.flush()
            spin = SPIN_S if self.info.type != "cpu" else 0.0
            native = self._device.native
            self._device.patience.until(lambda: is_idle(native), "device", spin_s=spin)
            self._encoder.busy = False

    def timestamps(self, submission: WgpuSubmission) -> tuple[float | None, ...]:
        """Device milliseconds per dispatch."""
        with self._use:
            return self._encoder.times(submission)

    def export(self, buffer: DeviceBuffer) -> object:
        """The wgpu buffer with everything asked for on its way into it; use it under `lock`.

        None where the array lies in several. A renderer would fail much later: a device that is
        lost is found out now.
        """
        import wgpu

        with self._use:
            self._encoder.flush()
            self._device.native.create_buffer(size=4, usage=wgpu.BufferUsage.COPY_DST)
        return buffer.native

    @property
    def native_device(self) -> object:
        """The wgpu device, for renderers that share it; use it under `lock`."""
        return self._device.native

    def read_back(self, buffer: object, nbytes: int) -> bytes:
        """The first bytes of a native buffer that can be mapped, for renderers; under `lock`."""
        return read_back(self._device.native, buffer, nbytes)

    def statistics(self) -> ProviderStatistics:
        """A snapshot of what is held."""
        pool = self._pool
        return ProviderStatistics(
            pool.live,
            pool.live_bytes,
            pool.pooled_bytes,
            pool.peak_bytes,
            pool.allocations,
            pool.hits,
            len(self._compiler.shaders),
            self._encoder.submits,
            {
                "bind_groups": len(self._encoder.groups),
                "bind_group_hits": self._encoder.group_hits,
                "restored": self._warmer.restored if self._warmer else 0,
            },
        )

    def trim(self) -> None:
        """Give pooled memory back."""
        with self._use:
            self._encoder.flush()
            self._pool.trim()

    def close(self) -> None:
        """Release everything."""
        with self.lock:
            if self._closed:
                return
            self._closed = True
            if self._warmer is not None:
                self._warmer.write()
            self._encoder.close()
            self._staging.close()
            self._pool.trim()
            self._compiler.ahead.close(self._device.native.destroy)


def open_provider(
    name: str = "auto", tuning: Tuning | None = None, cache: Path | None = None
) -> WgpuProvider:
    """Open an adapter by (part of) its name. Raises Unsupported where there is none.

    `cache` is the folder where kernels are remembered from run to run.
    """
    cffi_cache.prepare(cache)
    return _made_on(open_device(name), tuning, cache)


def _made_on(device: Device, tuning: Tuning | None, cache: Path | None) -> WgpuProvider:
    import wgpu

    try:
        return WgpuProvider(device, tuning, cache)
    except wgpu.GPUError as problem:
        device.native.destroy()
        raise Unsupported(f"wgpu: {problem}") from problem


__all__ = ["Faults", "WgpuProvider", "open_provider"]
