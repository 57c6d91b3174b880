"""A device that computes nothing: it checks, counts and remembers what it was asked to do.

Planner and executor tests count kernels with it; faults can be injected by name.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.backends.base import DeviceInfo, ProviderStatistics
from app.accel.ir.plan import Template
from app.errors import InternalError, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.accel.backends.base import Tell
    from app.accel.ir.dtypes import DType
    from app.accel.ir.plan import Dispatch, KernelRequest
    from app.settings import Settings


@dataclass(slots=True, eq=False)
class NullBuffer:
    """A size and a type."""

    dtype: DType
    count: int
    freed: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes it would occupy."""
        return self.count * self.dtype.size


@dataclass(slots=True, eq=False, weakref_slot=True)
class NullPipeline:
    """A kernel that was asked for."""

    request: KernelRequest
    workgroup: tuple[int, ...] = (1,)
    compile_ms: float = 0.0

    @property
    def key(self) -> str:
        """The request's key."""
        return self.request.key

    @property
    def source(self) -> str:
        """The request as text."""
        return repr(self.request)


@mutable_record
class NullSubmission:
    """Work that was asked for."""

    dispatches: int
    submits: int = 1

    @property
    def passes(self) -> tuple[int, ...]:
        """One pass for each."""
        return (1,) * self.dispatches


@mutable_record
class NullProvider:
    """Counts allocations, compilations and dispatches.

    Attributes:
        f64: whether it claims to have doubles.
        kind: what kind of device it claims to be.
        faults: exceptions to raise, by method name, each raised once.
        kernels: every kernel prepared, in order.
        dispatched: every dispatch, in order.
        calls: how often each method was called.
        anticipated: keys of the kernels asked for in advance.
        live: bytes of buffers not freed.
    """

    f64: bool = True
    kind: str = "discrete"
    faults: dict[str, list[BaseException]] = field(default_factory=dict)
    kernels: list[KernelRequest] = field(default_factory=list)
    dispatched: list[Dispatch] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)
    anticipated: set[str] = field(default_factory=set)
    live: int = 0

    @property
    def info(self) -> DeviceInfo:
        """A made-up device."""
        return DeviceInfo(
            "null", "", "none", self.kind, "", self.f64, True, 2**32, 2**31, (), "null"
        )

    def _count_call(self, method: str) -> None:
        self.calls[method] += 1
        faults = self.faults.get(method)
        if faults:
            raise faults.pop(0)

    @property
    def submitted(self) -> int:
        """How often work was handed in."""
        return self.calls["submit"]

    def expect(self, script: str) -> None:
        """Nothing is remembered."""

    def supports(self, dtype: DType) -> bool:
        """Everything but doubles, if it has none."""
        return self.f64 or dtype.value not in {"f64", "c128"}

    def allocate(self, dtype: DType, count: int) -> NullBuffer:
        """A buffer without memory."""
        self._count_call("allocate")
        buffer = NullBuffer(dtype, count)
        self.live += buffer.nbytes
        return buffer

    def free(self, buffer: NullBuffer) -> None:
        """Take it off the books."""
        if buffer.freed:
            raise InternalError("null provider", "a buffer was freed twice")
        buffer.freed = True
        self.live -= buffer.nbytes

    def upload(self, buffer: NullBuffer, data: NDArray[Any], start: int = 0) -> None:
        """Check type and size."""
        self._count_call("upload")
        if data.dtype != buffer.dtype.numpy or start + data.size > buffer.count or buffer.freed:
            raise InternalError("null provider", "an upload does not fit its buffer")

    def download(
        self,
        buffer: NullBuffer,
        start: int = 0,
        count: int | None = None,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Zeros."""
        self._count_call("download")
        size = buffer.count - start if count is None else count
        return np.zeros(size, buffer.dtype.numpy) if out is None else out

    def ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        """Whether the kernel has been asked for, or anticipated."""
        del like
        return kernel.key in self.anticipated or any(k.key == kernel.key for k in self.kernels)

    def anticipate(self, kernel: KernelRequest, like: Dispatch) -> None:
        """Done at once."""
        del like
        self._count_call("anticipate")
        self.anticipated.add(kernel.key)

    def prepare(self, kernel: KernelRequest, like: Dispatch | None = None) -> NullPipeline:
        """Remember the kernel."""
        del like
        self._count_call("prepare")
        self.kernels.append(kernel)
        return NullPipeline(kernel)

    def submit(
        self, dispatches: Sequence[Dispatch], wanted: Sequence[Any] = (), *, awaited: bool = True
    ) -> NullSubmission:
        """Check the dispatches against their kernels."""
        del wanted, awaited
        self._count_call("submit")
        for dispatch in dispatches:
            check(dispatch)
        self.dispatched.extend(dispatches)
        return NullSubmission(len(dispatches))

    @property
    def player(self) -> None:
        """Dispatches are handed in one by one."""
        return

    def status(self, submission: NullSubmission) -> tuple[bool, ...]:
        """No guard is ever left."""
        return (False,) * submission.dispatches

    @property
    def idle(self) -> bool:
        """It never knows."""
        return False

    def tell_waits(self, tell: Tell) -> None:
        """Nobody ever waits."""

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def timestamps(self, submission: NullSubmission) -> tuple[float | None, ...]:
        """No time passes."""
        return (0.0,) * submission.dispatches

    def export(self, buffer: NullBuffer) -> object:
        """The buffer."""
        return buffer

    def statistics(self) -> ProviderStatistics:
        """What is on the books."""
        return ProviderStatistics(live_bytes=self.live, submits=self.calls["submit"])

    def trim(self) -> None:
        """Nothing is pooled."""

    def close(self) -> None:
        """Nothing to release."""


def check(dispatch: Dispatch) -> None:
    """Raise InternalError where a dispatch does not fit its kernel or its buffers."""
    kernel = dispatch.pipeline.request
    lengths = (
        (len(dispatch.inputs), len(kernel.inputs)),
        (len(dispatch.outputs), len(kernel.outputs)),
        (len(dispatch.maps), len(kernel.maps)),
        (len(dispatch.params), len(kernel.params)),
    )
    if any(a != b for a, b in lengths):
        raise InternalError("null provider", f"{kernel.label}: operand counts differ {lengths}")
    for buffer, dtype in zip(
        (*dispatch.inputs, *dispatch.outputs), (*kernel.inputs, *kernel.outputs), strict=True
    ):
        if buffer.freed or buffer.dtype is not dtype:  # type: ignore[attr-defined]
            raise InternalError("null provider", f"{kernel.label}: a buffer is wrong")
    product = kernel.template is Template.MATMUL
    for instr in () if product else kernel.body:
        if instr.op == "load":
            binding, number = instr.attrs
            _check_reach(dispatch, dispatch.inputs[binding], number)


def _check_reach(dispatch: Dispatch, buffer: Any, number: int) -> None:
    """A strided load must stay inside its buffer."""
    values = dispatch.maps[number]
    if math.prod(dispatch.extents) == 0:
        return
    low = high = values.offset
    for stride, extent in zip(values.strides, dispatch.extents, strict=True):
        reach = stride * (extent - 1)
        low, high = low + min(0, reach), high + max(0, reach)
    if low < 0 or high >= buffer.count:
        raise InternalError("null provider", f"a load reaches {low}..{high} of {buffer.count}")


class NullBackend:
    """The counting device as a backend, to prove that one can be put in for another."""

    name = "null"

    def adapters(self) -> list[DeviceInfo]:
        """One made-up device."""
        return [NullProvider().info]

    def open(self, name: str, settings: Settings | None, folder: Path | None) -> NullProvider:
        """A device without memory. Raises Unsupported for a name that is not its."""
        if name not in {"auto", "gpu", self.name}:
            raise Unsupported(f"no adapter for '{name}'")
        return NullProvider()
