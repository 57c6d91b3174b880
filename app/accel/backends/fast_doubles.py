"""Fast doubles: a device without doubles computes them in single precision, on request only.

Buffers of doubles hold singles there; transfers convert. Random doubles are refused, since their
bits are promised to be the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.accel.backends.base import Buffer, Pipeline, Provider, Submission, Tell
    from app.accel.ir.plan import Dispatch, Instr, KernelRequest

NARROW = {DType.F64: DType.F32, DType.C128: DType.C64}


@dataclass(slots=True, eq=False)
class NarrowBuffer:
    """A buffer of doubles (or of anything else) and what really holds them."""

    dtype: DType
    inner: Buffer

    @property
    def count(self) -> int:
        """Number of elements."""
        return self.inner.count

    @property
    def nbytes(self) -> int:
        """Bytes occupied."""
        return self.inner.nbytes


def narrowed(kernel: KernelRequest) -> KernelRequest:
    """The kernel with singles for doubles. Raises Unsupported for random doubles."""

    def types(dtypes: Sequence[DType]) -> tuple[DType, ...]:
        return tuple(NARROW.get(dtype, dtype) for dtype in dtypes)

    def many(items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(replace(i, dtype=NARROW.get(i.dtype, i.dtype)) for i in items)

    steps: Sequence[Instr] = kernel.loop.steps if kernel.loop else ()
    if any(i.op.startswith("random") and i.dtype in NARROW for i in (*kernel.body, *steps)):
        raise Unsupported("random doubles have the same bits everywhere, singles have not")
    loop = kernel.loop
    if loop is not None:
        totals = tuple(replace(t, reduce=many([t.reduce])[0]) for t in loop.totals)
        loop = replace(loop, steps=many(loop.steps), stores=many(loop.stores), totals=totals)
    return replace(
        kernel,
        inputs=types(kernel.inputs),
        outputs=types(kernel.outputs),
        params=types(kernel.params),
        body=many(kernel.body),
        epilogue=many(kernel.epilogue),
        stores=many(kernel.stores),
        reductions=many(kernel.reductions),
        loop=loop,
    )


class FastDoubles:
    """A provider that takes doubles and computes in singles; see `providers.base.Provider`."""

    def __init__(self, inner: Provider) -> None:
        self.inner = inner
        self.info = replace(inner.info, features=(*inner.info.features, "fast-doubles"))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @property
    def submitted(self) -> int:
        """Command buffers submitted."""
        return self.inner.submitted

    def expect(self, script: str) -> None:
        """A script begins."""
        self.inner.expect(script)

    def supports(self, dtype: DType) -> bool:
        """Whether kernels can hold values of this type, or their singles."""
        return self.inner.supports(NARROW.get(dtype, dtype))

    def allocate(self, dtype: DType, count: int) -> NarrowBuffer:
        """A buffer whose doubles are singles."""
        return NarrowBuffer(dtype, self.inner.allocate(NARROW.get(dtype, dtype), count))

    def free(self, buffer: NarrowBuffer) -> None:
        """Return it."""
        self.inner.free(buffer.inner)

    def upload(self, buffer: NarrowBuffer, data: NDArray[Any], start: int = 0) -> None:
        """Write, rounded to single."""
        self.inner.upload(buffer.inner, data.astype(buffer.inner.dtype.numpy, copy=False), start)

    def download(
        self,
        buffer: NarrowBuffer,
        start: int = 0,
        count: int | None = None,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Read as doubles."""
        data = self.inner.download(buffer.inner, start, count)
        if out is None:
            return data.astype(buffer.dtype.numpy, copy=False)
        out[...] = data
        return out

    def prepare(self, kernel: KernelRequest, like: Dispatch | None = None) -> Pipeline:
        """Compile the kernel for singles."""
        return self.inner.prepare(narrowed(kernel), like)

    def ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        """Whether the kernel for singles is there; random doubles are refused at once."""
        try:
            return self.inner.ready(narrowed(kernel), like)
        except Unsupported:
            return True

    def anticipate(self, kernel: KernelRequest, like: Dispatch) -> None:
        """Compile the kernel for singles in the background."""
        self.inner.anticipate(narrowed(kernel), like)

    def submit(
        self, dispatches: Sequence[Dispatch], wanted: Sequence[Any] = (), *, awaited: bool = True
    ) -> Submission:
        """Hand on, with the buffers inside."""
        inside = [
            replace(d, inputs=_inner_buffers(d.inputs), outputs=_inner_buffers(d.outputs))
            for d in dispatches
        ]
        return self.inner.submit(inside, _inner_buffers(wanted), awaited=awaited)

    @property
    def player(self) -> None:
        """Dispatches are handed in one by one."""
        return

    def status(self, submission: Submission) -> tuple[bool, ...]:
        """Guards that were left."""
        return self.inner.status(submission)

    def timestamps(self, submission: Submission) -> tuple[float | None, ...]:
        """Device milliseconds."""
        return self.inner.timestamps(submission)

    def export(self, buffer: NarrowBuffer) -> object:
        """The native buffer; None where it does not hold what its type says."""
        return None if buffer.dtype in NARROW else self.inner.export(buffer.inner)

    def tell_waits(self, tell: Tell) -> None:
        """Whom to tell of waiting."""
        self.inner.tell_waits(tell)

    def synchronize(self) -> None:
        """Wait for the device."""
        self.inner.synchronize()

    def statistics(self) -> Any:
        """What is held."""
        return self.inner.statistics()

    def trim(self) -> None:
        """Give pooled memory back."""
        self.inner.trim()

    def close(self) -> None:
        """Release everything."""
        self.inner.close()


def _inner_buffers(buffers: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(buffer.inner for buffer in buffers)
