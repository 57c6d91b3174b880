"""A command buffer, recorded by native calls without wgpu's checks around each one.

wgpu wraps every call in error capture, which costs more than the call. Errors of a recording are
reported when it is finished, and there they are captured. To submit what is faulty, or to a device
that is gone, would end the process: the library reports no error of that.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from app.accel.backends.wgpu.native_launches import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.accel.backends.wgpu.native_launches import Launches
    from app.accel.backends.wgpu.pipelines import Shader

    class Handle(Protocol):
        """An object of wgpu that stands for a native one."""

        _internal: object

    Call: TypeAlias = tuple[Shader, Handle, int, tuple[int, int, int], int, bool]
    """A launch: shader, bind group, byte of its parameters, workgroups, the number of the time
    stamp behind it, and whether it is the last before that."""

NAME = "fuselab commands"


@cache
def _native() -> tuple[Any, Any, Any]:
    """wgpu's library, its cffi and what it captures errors with."""
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    return lib, ffi, _api.error_handler


class Commands:
    """Passes and copies in the order in which they are recorded."""

    def __init__(self, device: Any) -> None:
        self._lib, self._ffi, self._errors = _native()
        self._pass: Any = None
        self._shader: Shader | None = None
        self._offset = self._ffi.new("uint32_t[1]")
        self._encoder = self._lib.wgpuDeviceCreateCommandEncoder(
            device._internal,
            self._ffi.NULL,
        )

    def __del__(self) -> None:
        if self._encoder is not None:
            self.end()
            self._lib.wgpuCommandEncoderRelease(self._encoder)

    def dispatch(
        self, shader: Shader, group: Handle, offset: int, groups: tuple[int, int, int]
    ) -> None:
        """Record one dispatch."""
        lib, there = self._lib, self._open_pass()
        if shader is not self._shader:
            lib.wgpuComputePassEncoderSetPipeline(there, shader.native._internal)
            self._shader = shader
        self._offset[0] = offset
        lib.wgpuComputePassEncoderSetBindGroup(there, 0, group._internal, 1, self._offset)
        lib.wgpuComputePassEncoderDispatchWorkgroups(there, *groups)

    def record_each(
        self, calls: Sequence[Call], begin: int, queries: Handle | None, stamp: int
    ) -> None:
        """Record launches by a call each; their words and time stamps begin at these numbers.

        Without queries there are no time stamps.
        """
        lib, there, at = self._lib, self._open_pass(), self._offset
        set_group = lib.wgpuComputePassEncoderSetBindGroup
        launch = lib.wgpuComputePassEncoderDispatchWorkgroups
        for shader, group, offset, groups, place, last in calls:
            if shader is not self._shader:
                lib.wgpuComputePassEncoderSetPipeline(there, shader.native._internal)
                self._shader = shader
            at[0] = begin + offset
            set_group(there, 0, group._internal, 1, at)
            launch(there, *groups)
            if last and queries is not None:
                lib.wgpuComputePassEncoderWriteTimestamp(there, queries._internal, stamp + place)

    def record(self, queries: object, launches: Launches) -> None:
        """Record many launches, with time stamps; see `native_launches`."""
        record(self._open_pass(), queries, launches)
        self._shader = None

    def stamp(self, queries: Any, number: int) -> None:
        """Record a time stamp."""
        self._lib.wgpuComputePassEncoderWriteTimestamp(
            self._open_pass(),
            queries._internal,
            number,
        )

    def _open_pass(self) -> Any:
        """The compute pass under way."""
        if self._pass is None:
            self._pass = self._lib.wgpuCommandEncoderBeginComputePass(self._encoder, self._ffi.NULL)
        return self._pass

    def end(self) -> None:
        """End the pass."""
        if self._pass is not None:
            self._lib.wgpuComputePassEncoderEnd(self._pass)
            self._lib.wgpuComputePassEncoderRelease(self._pass)
            self._pass = self._shader = None

    def copy(self, source: Any, start: int, target: Any, at: int, nbytes: int) -> None:
        """Copy whole words from buffer to buffer."""
        self.end()
        self._lib.wgpuCommandEncoderCopyBufferToBuffer(
            self._encoder,
            source._internal,
            start,
            target._internal,
            at,
            nbytes,
        )

    def clear(self, buffer: Any, nbytes: int) -> None:
        """Set the first bytes of a buffer to zero."""
        self.end()
        self._lib.wgpuCommandEncoderClearBuffer(
            self._encoder,
            buffer._internal,
            0,
            nbytes,
        )

    def resolve(self, queries: Any, count: int, target: Any) -> None:
        """Write the first time stamps into a buffer."""
        self.end()
        self._lib.wgpuCommandEncoderResolveQuerySet(
            self._encoder,
            queries._internal,
            0,
            count,
            target._internal,
            0,
        )

    def send(
        self, queue: Any, ring: Any = None, words: bytes | bytearray | NDArray[np.uint32] = b""
    ) -> None:
        """Put words into the parameter ring and submit. Raises GPUError."""
        lib, ffi = self._lib, self._ffi
        self.end()
        self._errors.capture(NAME)
        try:
            if len(words):
                data = ffi.from_buffer(words)
                lib.wgpuQueueWriteBuffer(
                    queue._internal,
                    ring._internal,
                    0,
                    data,
                    len(data),
                )
            made = lib.wgpuCommandEncoderFinish(self._encoder, ffi.NULL)
        finally:
            problem = self._errors.release(NAME)
        try:
            if problem is not None:
                from wgpu.backends.wgpu_native._helpers import ERROR_TYPES

                raise ERROR_TYPES[problem[0]](problem[1])
            lib.wgpuQueueSubmit(queue._internal, 1, ffi.new("WGPUCommandBuffer[]", [made]))
        finally:
            lib.wgpuCommandBufferRelease(made)
