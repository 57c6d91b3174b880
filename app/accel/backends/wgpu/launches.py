"""What one dispatch becomes: launches of shaders, over windows where an array exceeds a binding."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.accel.backends.wgpu.split_buffers import BorderCopy, Windows
from app.accel.codegen import algorithms, tiling
from app.accel.codegen.wgsl.launch import (
    Launch,
    launches,
    parameter_words,
    parameters,
    parameters_at,
    spread,
)
from app.accel.codegen.wgsl.program import Variant
from app.accel.ir.dtypes import DType
from app.accel.ir.plan import Template
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.accel.backends.wgpu.memory import DeviceBuffer, Pool
    from app.accel.backends.wgpu.pipelines import Compiled, Compiler
    from app.accel.codegen.tiling import Part
    from app.accel.ir.plan import Dispatch

PIECES = {True: 64, False: 1024}
"""Pieces of a window in a reduction, on a processor and elsewhere; 64 partial results or a multiple
of it begin where a binding may begin."""
KEPT = "wgpu runs"
SLOT = 256
"""Bytes at multiples of which the parameters of a launch may begin."""
REAL = {DType.F64: "d", DType.F32: "f"}
PARTIAL = 32
"""Bytes that a partial result of one reduction takes at most."""


@dataclass(slots=True)
class Run:
    """One launch.

    Attributes:
        stage: the shader.
        groups: workgroups per axis.
        bound: bytes of its parameters.
        words: the parameters, as many bytes as they take up among those of other launches.
        dispatch: whose buffers are bound.
        scratch: bytes of scratch that it shares with its successor.
        scratch_at: first byte of the scratch buffer that is bound.
        before, after: borrowed buffers to fill before the launch, and to empty after it.
    """

    stage: Compiled
    groups: tuple[int, int, int]
    bound: int
    words: bytes
    dispatch: Dispatch
    scratch: int = 0
    scratch_at: int = 0
    before: tuple[BorderCopy, ...] = ()
    after: tuple[BorderCopy, ...] = ()


def run_of(stage: Compiled, launch: Launch, dispatch: Dispatch, scratch_at: int = 0) -> Run:
    """The run of a launch."""
    words = launch.packed()
    padded = words + bytes(-len(words) % SLOT)
    return Run(stage, launch.groups, len(words), padded, dispatch, launch.scratch, scratch_at)


@dataclass(slots=True)
class Packer:
    """Puts the parameters of a dispatch where its words have them.

    Attributes:
        first: byte of the words where parameters begin.
        types: their types.
        real: puts them into bytes where all of them are real numbers; None elsewhere.
    """

    first: int
    types: Sequence[DType]
    real: struct.Struct | None

    @classmethod
    def of(cls, dispatch: Dispatch) -> Packer:
        """The packer for dispatches like this one."""
        types = dispatch.pipeline.request.params
        text = "".join(REAL.get(dtype, "?") for dtype in types)
        return cls(
            4 * parameters_at(dispatch), types, None if "?" in text else struct.Struct("<" + text)
        )

    def packed(self, values: Sequence[complex]) -> bytes:
        """Parameters as bytes."""
        if self.real is not None:
            try:
                return self.real.pack(*values)
            except (struct.error, OverflowError):
                pass  # a complex number, or one beyond single precision
        words = parameters(values, self.types)
        return struct.pack(f"<{len(words)}I", *words)


@dataclass(slots=True)
class Kept:
    """The launches of a step, to be made again with other parameters and buffers."""

    runs: list[Run]
    pipeline: Any
    packer: Packer

    @classmethod
    def of(cls, runs: list[Run], dispatch: Dispatch) -> Kept:
        """What to keep of these launches."""
        return cls(runs, dispatch.pipeline, Packer.of(dispatch))

    def again(self, dispatch: Dispatch) -> list[Run]:
        """The same launches for another dispatch."""
        runs = self.runs
        if dispatch.params:
            fresh, first = self.packer.packed(dispatch.params), self.packer.first
            last = first + len(fresh)
            return [
                Run(
                    run.stage,
                    run.groups,
                    run.bound,
                    run.words[:first] + fresh + run.words[last:],
                    dispatch,
                    run.scratch,
                    run.scratch_at,
                )
                for run in runs
            ]
        return [
            Run(run.stage, run.groups, run.bound, run.words, dispatch, run.scratch, run.scratch_at)
            for run in runs
        ]


def packer_of(dispatch: Dispatch) -> Packer | None:
    """What gives the launches of a dispatch other parameters; None where more depends on them."""
    return Packer.of(dispatch) if dispatch.params and _repeats(dispatch) else None


def runs_of(dispatch: Dispatch, compiler: Compiler, limit: int, pool: Pool) -> list[Run]:
    """The launches of a dispatch. Raises Unsupported where cutting does not help."""
    memo = dispatch.memo
    kept: Kept | None = memo.get(KEPT) if memo is not None else None
    if kept is not None and _is_same_launch(dispatch, kept, compiler):
        return kept.again(dispatch)
    operands: Any = (*dispatch.inputs, *dispatch.outputs)
    if tiling.too_large([b.count * b.dtype.size for b in operands], limit):
        return list(_window_launches(dispatch, operands, compiler, limit, pool))
    runs = list(_whole_launches(dispatch, compiler, limit))
    if memo is not None and _repeats(dispatch):
        memo[KEPT] = Kept.of(runs, dispatch)
    return runs


def _repeats(dispatch: Dispatch) -> bool:
    """Whether launches depend on nothing but box and maps, apart from the parameters."""
    template = dispatch.pipeline.request.template
    return template not in {Template.LOOP, Template.ALGORITHM} and _has_no_alias(dispatch)


def _has_no_alias(dispatch: Dispatch) -> bool:
    """Whether no buffer is both read and written."""
    inputs = dispatch.inputs
    for buffer in dispatch.outputs:  # noqa: SIM110 - a generator takes ten times as long
        if buffer in inputs:
            return False
    return True


def _is_same_launch(dispatch: Dispatch, kept: Kept, compiler: Compiler) -> bool:
    """Whether an earlier run of the step was the same but for parameters and buffers."""
    same = dispatch.pipeline is kept.pipeline and _has_no_alias(dispatch)
    there = all(run.stage.live for run in kept.runs)
    return same and there and compiler.script in kept.pipeline.scripts


def _window_launches(
    dispatch: Dispatch, operands: Any, compiler: Compiler, limit: int, pool: Pool
) -> Iterator[Run]:
    """The launches over windows on what is too large."""
    kernel = dispatch.pipeline.request
    cutter = tiling.Cutter(
        kernel,
        dispatch.extents,
        dispatch.maps,
        tuple(b.count for b in operands),
        limit,
        tiling.passes(kernel, dispatch.params),
    )
    width = cutter.width()
    if not width:
        raise Unsupported(f"{kernel.label}: an array exceeds what the adapter binds at once")
    parts = [_dispatch_of_part(dispatch, part, pool) for part in cutter.parts(width)]
    if tiling.whole(kernel):
        yield from _merging_launches(dispatch, parts, compiler, limit)
        return
    for part, loans in parts:
        runs = list(_whole_launches(part, compiler, limit))
        runs[0].before = loans
        runs[-1].after = tuple(loan for loan in loans if loan.written)
        yield from runs


def _whole_launches(dispatch: Dispatch, compiler: Compiler, limit: int) -> Iterator[Run]:
    stages = compiler.stages_for(dispatch.pipeline, dispatch)  # type: ignore[arg-type]
    kernel = dispatch.pipeline.request
    found = (
        algorithms.of(kernel).launches(dispatch, stages, limit)
        if kernel.template is Template.ALGORITHM
        else launches(dispatch, stages, compiler.tuning, limit)
    )
    for stage, launch in found:
        yield run_of(stage, launch, dispatch)


def _dispatch_of_part(
    dispatch: Dispatch, part: Part, pool: Pool
) -> tuple[Dispatch, tuple[BorderCopy, ...]]:
    """The dispatch of a part, and what it borrows. Kernels look at windows' identity."""
    made = Windows(pool)

    def window(buffer: Any, place: tuple[bool, int]) -> DeviceBuffer:
        if place not in part.windows:
            return buffer  # type: ignore[no-any-return]
        return made.window(buffer, *part.windows[place], written=place[0])

    cut = replace(
        dispatch,
        extents=part.extents,
        maps=part.maps,
        inputs=tuple(window(b, (False, k)) for k, b in enumerate(dispatch.inputs)),
        outputs=tuple(window(b, (True, k)) for k, b in enumerate(dispatch.outputs)),
    )
    return cut, tuple(made.loans)


def _merging_launches(
    dispatch: Dispatch,
    parts: list[tuple[Dispatch, tuple[BorderCopy, ...]]],
    compiler: Compiler,
    limit: int,
) -> Iterator[Run]:
    """A reduction to one result: every part leaves partial results, one pass merges them all."""
    pipeline: Any = dispatch.pipeline
    room = limit // (len(parts) * PARTIAL * len(pipeline.request.reductions))
    pieces = max(64, min(PIECES[compiler.tuning.cpu], room // 64 * 64))
    total = pieces * len(parts)
    last: Compiled | None = None
    for k, (part, loans) in enumerate(parts):
        count = tiling.points(part.extents)
        loose = frozenset(number for number, values in enumerate(part.maps) if values.offset & 3)
        mode = "g2gq" if count % 4 == 0 else "g2g"
        first, last = compiler.stages(pipeline, Variant(loose, (), mode))
        per = -(-count // (4 * pieces)) * 4
        words = parameter_words(part, count, (pieces, per, 1, count))
        scratch = first.program.scratch
        launch = Launch(words, spread(pieces), total * scratch)
        run = run_of(first, launch, part, k * pieces * scratch)
        run.before, run.after = loans, tuple(loan for loan in loans if loan.written)
        yield run
    if last is not None:
        words = parameter_words(parts[0][0], total, (1, total, 1, total))
        launch = Launch(words, spread(1), total * last.program.scratch)
        run = run_of(last, launch, parts[0][0])
        run.before = parts[0][1]
        yield run
