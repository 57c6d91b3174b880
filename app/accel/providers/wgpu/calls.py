"""The few native calls made for every dispatch, without wgpu's checks around each one.

wgpu wraps every call in error capture, which costs more than the call. Errors of an encoder are
reported when it is finished anyway, and finishing is not done here.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any, ClassVar

import numpy as np

PAUSE_S = 0.0005
PATIENCE = 10000
"""Waits that may return without news before a device counts as lost."""


class FastPass:
    """A compute pass that records dispatches."""

    def __init__(self, encoder: Any) -> None:
        from wgpu.backends.wgpu_native._ffi import ffi, lib

        self._pass = encoder.begin_compute_pass()
        self._native = self._pass._internal  # noqa: SLF001 - this module is about the internals
        self._lib, self._offset = lib, ffi.new("uint32_t[1]")
        self._pipeline: Any = None

    def dispatch(
        self, pipeline: Any, group: Any, offset: int, groups: tuple[int, int, int]
    ) -> None:
        """Record one dispatch."""
        if pipeline is not self._pipeline:
            self._lib.wgpuComputePassEncoderSetPipeline(self._native, pipeline._internal)  # noqa: SLF001
            self._pipeline = pipeline
        self._offset[0] = offset
        self._lib.wgpuComputePassEncoderSetBindGroup(
            self._native, 0, group._internal, 1, self._offset  # noqa: SLF001
        )
        self._lib.wgpuComputePassEncoderDispatchWorkgroups(self._native, *groups)

    def stamp(self, queries: Any, number: int) -> None:
        """Record a time stamp."""
        self._lib.wgpuComputePassEncoderWriteTimestamp(
            self._native, queries._internal, number  # noqa: SLF001
        )

    def end(self) -> None:
        """End the pass."""
        self._pass.end()


class Mapping:
    """A buffer being mapped, without wgpu's polling thread.

    That thread spins while it waits, and whoever waits beside it gets the interpreter's lock back
    only after its switching interval: five milliseconds for a read of eight bytes.
    """

    READ, WRITE = 1, 2
    pending: ClassVar[set[Mapping]] = set()
    """Kept until the device has called back, even if nobody waits any more."""

    def __init__(self, buffer: Any, nbytes: int, mode: int) -> None:
        from wgpu.backends.wgpu_native._ffi import ffi, lib

        self._lib, self._ffi = lib, ffi
        self._buffer, self._nbytes = buffer, nbytes
        self.done, self.message = False, ""
        self._self = ffi.new_handle(self)
        self.pending.add(self)
        info = ffi.new("WGPUBufferMapCallbackInfo *", {
            "mode": lib.WGPUCallbackMode_AllowProcessEvents, "callback": _on_mapped(),
            "userdata1": self._self,
        })  # fmt: skip
        lib.wgpuBufferMapAsync(buffer._internal, mode, 0, nbytes, info[0])  # noqa: SLF001

    def wait(self, device: Any) -> None:
        """Wait for all submitted work, and with it for the mapping. Raises RuntimeError."""
        for attempt in range(PATIENCE):
            if self.done:
                break
            if attempt:  # another thread's poll has the callback, and needs the interpreter for it
                time.sleep(PAUSE_S)
            self._lib.wgpuDevicePoll(device._internal, True, self._ffi.NULL)  # noqa: SLF001
        if not self.done:
            self.message = "the device does not answer"
        if self.message:
            raise RuntimeError(self.message)

    def memory(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The mapped memory; not to be used after `release`."""
        return mapped(self._buffer, self._nbytes)

    def release(self) -> None:
        """Unmap the buffer."""
        unmap(self._buffer)


@cache
def _on_mapped() -> Any:
    """The native callback of every mapping."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    def called(status: int, message: Any, handle: Any, _: Any) -> None:
        mapping: Mapping = ffi.from_handle(handle)
        if status != lib.WGPUMapAsyncStatus_Success:
            text = ffi.string(message.data, message.length) if message.length else b"no reason"
            mapping.message = f"a buffer could not be mapped: {text.decode(errors='replace')}"
        mapping.done = True
        mapping.pending.discard(mapping)

    return ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)", called)


def wait_idle(device: Any) -> None:
    """Wait until all submitted work is done."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    lib.wgpuDevicePoll(device._internal, True, ffi.NULL)  # noqa: SLF001


def mapped(buffer: Any, nbytes: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The memory of a mapped buffer; not to be used after it is unmapped."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    pointer = lib.wgpuBufferGetMappedRange(buffer._internal, 0, nbytes)  # noqa: SLF001
    return np.frombuffer(ffi.buffer(pointer, nbytes), np.uint8)


def unmap(buffer: Any) -> None:
    """Give a mapped buffer back to the device."""
    from wgpu.backends.wgpu_native._ffi import lib

    lib.wgpuBufferUnmap(buffer._internal)  # noqa: SLF001
