"""What one dispatch becomes: launches of shaders, over windows where an array exceeds a binding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.accel import algorithms, windows
from app.accel.kernels.launch import Launch, launches, parameter_words, spread
from app.accel.kernels.program import Variant
from app.accel.plan import Template
from app.accel.providers.wgpu.memory import DeviceBuffer
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.accel.plan import Dispatch, KernelRequest
    from app.accel.providers.wgpu.pipelines import Compiled, Compiler
    from app.accel.windows import Part

PIECES = {True: 64, False: 1024}
"""Pieces of a window in a reduction, on a processor and elsewhere; 64 partial results or a multiple
of it begin where a binding may begin."""


@dataclass(slots=True)
class Run:
    """One launch.

    Attributes:
        stage: the shader.
        launch: parameter words and workgroups.
        dispatch: whose buffers are bound.
        scratch_at: first byte of the scratch buffer that is bound.
    """

    stage: Compiled
    launch: Launch
    dispatch: Dispatch
    scratch_at: int = 0


def runs_of(dispatch: Dispatch, compiler: Compiler, limit: int) -> Iterator[Run]:
    """The launches of a dispatch. Raises Unsupported where cutting does not help."""
    operands: Any = (*dispatch.inputs, *dispatch.outputs)
    if not windows.too_large([b.count * b.dtype.size for b in operands], limit):
        yield from _plain(dispatch, compiler, limit)
        return
    pipeline: Any = dispatch.pipeline
    kernel = pipeline.request
    cutter = windows.Cutter(
        kernel, dispatch.extents, dispatch.maps, tuple(b.count for b in operands), limit,
        windows.passes(kernel, dispatch.params),
    )  # fmt: skip
    width = cutter.width()
    if not width:
        raise Unsupported(f"{kernel.label}: an array exceeds what the adapter binds at once")
    parts = [_part(dispatch, part) for part in cutter.parts(width)]
    if windows.whole(kernel):
        yield from _merged(dispatch, parts, compiler)
        return
    for part in parts:
        yield from _plain(part, compiler, limit)


def _plain(dispatch: Dispatch, compiler: Compiler, limit: int) -> Iterator[Run]:
    stages = compiler.stages_for(dispatch.pipeline, dispatch)  # type: ignore[arg-type]
    kernel: KernelRequest = dispatch.pipeline.request  # type: ignore[attr-defined]
    found = (
        algorithms.of(kernel).launches(dispatch, stages, limit)
        if kernel.template is Template.ALGORITHM
        else launches(dispatch, stages, compiler.tuning)
    )
    for stage, launch in found:
        yield Run(stage, launch, dispatch)


def _part(dispatch: Dispatch, part: Part) -> Dispatch:
    """The dispatch of a part. The same window is the same object: kernels look at identity."""
    seen: dict[tuple[int, int], DeviceBuffer] = {}

    def window(buffer: Any, place: tuple[bool, int]) -> DeviceBuffer:
        if place not in part.windows:
            return buffer  # type: ignore[no-any-return]
        first, count = part.windows[place]
        size = buffer.dtype.size
        n_bytes = -(-(count * size + 16) // 16) * 16
        made = DeviceBuffer(buffer.dtype, count, n_bytes, buffer.native, buffer.number,
                            first * size)  # fmt: skip
        return seen.setdefault((buffer.number, first), made)

    return replace(
        dispatch, extents=part.extents, maps=part.maps,
        inputs=tuple(window(b, (False, k)) for k, b in enumerate(dispatch.inputs)),
        outputs=tuple(window(b, (True, k)) for k, b in enumerate(dispatch.outputs)),
    )  # fmt: skip


def _merged(dispatch: Dispatch, parts: list[Dispatch], compiler: Compiler) -> Iterator[Run]:
    """A reduction to one result: every part leaves partial results, one pass merges them all."""
    pipeline: Any = dispatch.pipeline
    pieces = PIECES[compiler.tuning.cpu]
    total = pieces * len(parts)
    last: Compiled | None = None
    for k, part in enumerate(parts):
        count = windows.points(part.extents)
        loose = frozenset(
            number for number, values in enumerate(part.maps) if values.offset & 3
        )
        mode = "g2gq" if count % 4 == 0 else "g2g"
        first, last = compiler.stages(pipeline, Variant(loose, (), mode))
        per = -(-count // (4 * pieces)) * 4
        words = parameter_words(part, count, (pieces, per, 1, count))
        scratch = first.program.scratch
        yield Run(first, Launch(words, spread(pieces), total * scratch), part, k * pieces * scratch)
    if last is not None:
        words = parameter_words(parts[0], total, (1, total, 1, total))
        launch = Launch(words, spread(1), total * last.program.scratch)
        yield Run(last, launch, parts[0])



