"""The few native calls made for every dispatch, without wgpu's checks around each one.

wgpu wraps every call in error capture, which costs more than the call. Errors of an encoder are
reported when it is finished anyway, and finishing is not done here.
"""

from __future__ import annotations

from typing import Any

import numpy as np


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


def mapped(buffer: Any, nbytes: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The memory of a mapped buffer; not to be used after it is unmapped."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    pointer = lib.wgpuBufferGetMappedRange(buffer._internal, 0, nbytes)  # noqa: SLF001
    return np.frombuffer(ffi.buffer(pointer, nbytes), np.uint8)
