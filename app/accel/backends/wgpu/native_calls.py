"""The native calls by which the host waits for the device and sees its memory."""

from __future__ import annotations

import time
from functools import cache
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

SPIN_S = 0.002
"""How long a graphics card is asked again and again: to be woken up takes as long as an answer."""
PAUSE_S = 0.0005
PATIENCE = 10000
"""Waits that may return without news before a device counts as lost."""


_MAKING = Lock()
"""Two threads that make the first callback at once would leave one that nothing keeps alive."""


@cache
def _native() -> tuple[Any, Any]:
    """wgpu's cffi and library; an import statement inside a function costs a microsecond."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    return ffi, lib


class Mapping:
    """A buffer being mapped, without wgpu's polling thread.

    That thread spins while it waits, and whoever waits beside it gets the interpreter's lock back
    only after its switching interval: five milliseconds for a read of eight bytes.
    """

    READ, WRITE = 1, 2
    pending: ClassVar[dict[int, Mapping]] = {}
    """By the numbers that the device calls back with, until it has, even if nobody waits."""
    numbers: ClassVar[Iterator[int]] = count(1)

    def __init__(self, buffer: Any, nbytes: int, mode: int) -> None:
        self._ffi, self._lib = ffi, lib = _native()
        self._buffer, self._nbytes = buffer, nbytes
        self.done, self.message = False, ""
        number = next(self.numbers)
        self.pending[number] = self
        info = ffi.new("WGPUBufferMapCallbackInfo *")[0]  # of its own: another thread maps as well
        info.mode, info.callback = lib.WGPUCallbackMode_AllowProcessEvents, _on_mapped()
        info.userdata1 = ffi.cast("void *", number)
        lib.wgpuBufferMapAsync(buffer._internal, mode, 0, nbytes, info)  # noqa: SLF001 - wgpu's handle for C

    def wait(self, device: Any, *, spin: bool = False) -> None:
        """Wait for all submitted work, and with it for the mapping. Raises RuntimeError."""
        deadline = time.perf_counter() + SPIN_S
        while spin and not self.done and time.perf_counter() < deadline:
            self._lib.wgpuDevicePoll(device._internal, False, self._ffi.NULL)  # noqa: SLF001 - wgpu's handle for C
        for attempt in range(PATIENCE):
            if self.done:
                break
            if attempt:  # another thread's poll has the callback, and needs the interpreter for it
                time.sleep(PAUSE_S)
            self._lib.wgpuDevicePoll(device._internal, True, self._ffi.NULL)  # noqa: SLF001 - wgpu's handle for C
        if not self.done:
            self.message = "the device does not answer"
        if self.message:
            raise RuntimeError(self.message)

    @classmethod
    def called_back(cls, number: int, message: str) -> None:
        """The device has answered; what it says of an answered one changes nothing."""
        mapping = cls.pending.get(number)
        if mapping is not None:
            mapping.message = message
            mapping.done = True
            cls.pending.pop(number, None)

    def memory(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The mapped memory; not to be used after `release`."""
        return mapped_memory(self._buffer, self._nbytes)

    def release(self) -> None:
        """Unmap the buffer."""
        unmap(self._buffer)


def read_back(device: Any, buffer: Any, nbytes: int) -> bytes:
    """The first bytes of a buffer that can be mapped, once all submitted work is done.

    Raises RuntimeError where it cannot be mapped in time; it may be mapped later.
    """
    mapping = Mapping(buffer, nbytes, Mapping.READ)
    mapping.wait(device)
    try:
        return mapping.memory().tobytes()
    finally:
        mapping.release()


def _on_mapped() -> Any:
    """The native callback of every mapping."""
    with _MAKING:
        return _made_callback()


@cache
def _made_callback() -> Any:
    ffi, lib = _native()

    def called(status: int, message: Any, number: Any, _: Any) -> None:
        problem = ""
        if status != lib.WGPUMapAsyncStatus_Success:
            text = ffi.string(message.data, message.length) if message.length else b"no reason"
            problem = f"a buffer could not be mapped: {text.decode(errors='replace')}"
        Mapping.called_back(int(ffi.cast("uintptr_t", number)), problem)

    def broken_off(_: object, problem: BaseException, trace: TracebackType) -> None:
        """A stop is raised anywhere in the thread, here as well: who waits is told all the same."""
        given = trace.tb_frame.f_locals
        called(*(given[name] for name in ("status", "message", "number", "_")))
        raise problem  # it is told that it was swallowed

    kind = "void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)"
    return ffi.callback(kind, called, onerror=broken_off)


def is_idle(device: Any) -> bool:
    """Whether all submitted work is done; never blocks.

    The library answers with a byte where its header says a word: the other bits are left over.
    """
    ffi, lib = _native()
    return bool(lib.wgpuDevicePoll(device._internal, False, ffi.NULL) & 1)  # noqa: SLF001 - wgpu's handle for C


def mapped_memory(buffer: Any, nbytes: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The memory of a mapped buffer; not to be used after it is unmapped."""
    ffi, lib = _native()
    pointer = lib.wgpuBufferGetMappedRange(buffer._internal, 0, nbytes)  # noqa: SLF001 - wgpu's handle for C
    return np.frombuffer(ffi.buffer(pointer, nbytes), np.uint8)


def unmap(buffer: Any) -> None:
    """Give a mapped buffer back to the device."""
    _native()[1].wgpuBufferUnmap(buffer._internal)  # noqa: SLF001 - wgpu's handle for C
