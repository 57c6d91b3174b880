"""Launches recorded by one native call: the loop over them is machine code.

wgpu's library is called by address, so that the interpreter is not between two launches.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app import native

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Launches: TypeAlias = NDArray[np.void]

LAUNCH = np.dtype(
    [
        ("pipeline", "u8"),
        ("group", "u8"),
        ("offset", "u4"),
        ("x", "u4"),
        ("y", "u4"),
        ("z", "u4"),
        ("stamp", "u4"),
        ("unused", "u4"),
    ]
)
"""One launch: handles, the byte where its parameters begin, workgroups per axis, and the time stamp
to be written behind it; 0 for none."""
CALLS = {
    "set_pipeline": "wgpuComputePassEncoderSetPipeline",
    "set_group": "wgpuComputePassEncoderSetBindGroup",
    "dispatch": "wgpuComputePassEncoderDispatchWorkgroups",
    "stamp": "wgpuComputePassEncoderWriteTimestamp",
}
ASSEMBLY = """
%launch = type { i64, i64, i32, i32, i32, i32, i32, i32 }
declare void @set_pipeline(i64, i64)
declare void @set_group(i64, i32, i64, i64, ptr)
declare void @dispatch(i64, i32, i32, i32)
declare void @stamp(i64, i64, i32)

define void @record(i64 %pass, i64 %queries, ptr %launches, i64 %count) {
entry:
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %next, label %done
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %on ]
  %last = phi i64 [ 0, %entry ], [ %pipeline, %on ]
  %pipeline_at = getelementptr %launch, ptr %launches, i64 %k, i32 0
  %pipeline = load i64, ptr %pipeline_at
  %same = icmp eq i64 %pipeline, %last
  br i1 %same, label %launch, label %change
change:
  call void @set_pipeline(i64 %pass, i64 %pipeline)
  br label %launch
launch:
  %group_at = getelementptr %launch, ptr %launches, i64 %k, i32 1
  %offset_at = getelementptr %launch, ptr %launches, i64 %k, i32 2
  %x_at = getelementptr %launch, ptr %launches, i64 %k, i32 3
  %y_at = getelementptr %launch, ptr %launches, i64 %k, i32 4
  %z_at = getelementptr %launch, ptr %launches, i64 %k, i32 5
  %stamp_at = getelementptr %launch, ptr %launches, i64 %k, i32 6
  %group = load i64, ptr %group_at
  %x = load i32, ptr %x_at
  %y = load i32, ptr %y_at
  %z = load i32, ptr %z_at
  %number = load i32, ptr %stamp_at
  call void @set_group(i64 %pass, i32 0, i64 %group, i64 1, ptr %offset_at)
  call void @dispatch(i64 %pass, i32 %x, i32 %y, i32 %z)
  %stamped = icmp ne i32 %number, 0
  br i1 %stamped, label %write, label %on
write:
  call void @stamp(i64 %pass, i64 %queries, i32 %number)
  br label %on
on:
  %k1 = add i64 %k, 1
  %more = icmp slt i64 %k1, %count
  br i1 %more, label %next, label %done
done:
  ret void
}
"""


@cache
def _recorder() -> Callable[[int, int, int, int], None]:
    """The machine code."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    addresses = {
        name: int(ffi.cast("uintptr_t", getattr(lib, call))) for name, call in CALLS.items()
    }
    library = native.compile_assembly(ASSEMBLY, "record", level=native.QUICK, imports=addresses)
    word = ctypes.c_int64
    return library.function("record", None, word, word, ctypes.c_void_p, word)


def make_ready() -> None:
    """Make the machine code, which takes a tenth of a second where the compiler is not loaded."""
    _recorder()


def address(handle: object) -> int:
    """The address behind a handle of wgpu; 0 for None."""
    from wgpu.backends.wgpu_native._ffi import ffi

    internal = getattr(handle, "_internal", None)
    return 0 if internal is None else int(ffi.cast("uintptr_t", internal))


def record(there: object, queries: object, launches: Launches) -> None:
    """Record launches in a compute pass, given as wgpu's native handle.

    What they refer to must stay alive until they are submitted. Until the machine code is there
    the interpreter makes the calls.
    """
    from wgpu.backends.wgpu_native._ffi import ffi

    if not _recorder.cache_info().currsize:
        _record_slowly(there, queries, launches)
        return
    given = int(ffi.cast("uintptr_t", there))
    _recorder()(given, address(queries), native.address_of(launches), len(launches))


def _record_slowly(there: object, queries: object, launches: Launches) -> None:
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    offset, handle = ffi.new("uint32_t[1]"), getattr(queries, "_internal", None)
    for pipeline, group, first, x, y, z, stamp, _ in launches.tolist():
        lib.wgpuComputePassEncoderSetPipeline(there, ffi.cast("WGPUComputePipeline", pipeline))
        offset[0] = first
        bound = ffi.cast("WGPUBindGroup", group)
        lib.wgpuComputePassEncoderSetBindGroup(there, 0, bound, 1, offset)
        lib.wgpuComputePassEncoderDispatchWorkgroups(there, x, y, z)
        if stamp:
            lib.wgpuComputePassEncoderWriteTimestamp(there, handle, stamp)
