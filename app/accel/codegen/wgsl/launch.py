"""From a dispatch to launches: parameter words and workgroup counts of each stage."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Protocol, TypeVar

from app.accel.codegen.wgsl.emit import HEADER_WORDS
from app.accel.codegen.wgsl.shapes_of_reductions import cut, scan_cut
from app.accel.codegen.wgsl.tiles import TILES, is_symmetric, pieces
from app.accel.ir.dtypes import DType
from app.accel.ir.plan import Template
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.accel.codegen.wgsl.program import Program
    from app.accel.codegen.wgsl.tuning import Tuning
    from app.accel.ir.plan import Dispatch, LoopSpec

    class Stage(Protocol):
        """Something with a program."""

        program: Program


MASK = 0xFFFFFFFF
SIDE = 32768
MOST = 1 << 32

S = TypeVar("S", bound="Stage")


@mutable_record
class Launch:
    """One shader launch.

    Attributes:
        words: the parameter words; the status slot is filled in when it is sent.
        groups: workgroups per axis.
        scratch: bytes of scratch the stage shares with its successor.
    """

    words: list[int]
    groups: tuple[int, int, int]
    scratch: int = 0

    def packed(self) -> bytes:
        """The words as bytes."""
        return struct.pack(f"<{len(self.words)}I", *self.words)


def _double(value: float) -> tuple[int, int]:
    low, high = struct.unpack("<2I", struct.pack("<d", value))
    return low, high


def _single(value: float) -> int:
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        bits = 0x7F800000 if value > 0 else 0xFF800000
    return bits


def encode(value: complex | float | int | bool, dtype: DType) -> tuple[int, ...]:
    """A scalar as parameter words."""
    match dtype:
        case DType.F64:
            return _double(value.real)
        case DType.F32:
            return (_single(value.real),)
        case DType.C128:
            return (*_double(value.real), *_double(value.imag))
        case DType.C64:
            return (_single(value.real), _single(value.imag))
    whole = int(value.real)
    if dtype.size == 8:
        return (whole & MASK, whole >> 32 & MASK)
    return (whole & MASK,)


def spread(groups: int) -> tuple[int, int, int]:
    """Many workgroups over two axes."""
    if groups <= SIDE:
        return max(groups, 1), 1, 1
    return SIDE, -(-groups // SIDE), 1


def parameter_words(dispatch: Dispatch, count: int, extra: Sequence[int] = ()) -> list[int]:
    """The words of a dispatch: header, extents, maps, parameters."""
    request = dispatch.pipeline.request
    if count >= MOST:
        raise Unsupported(f"{count} points are more than a kernel can count")
    words = [0, count, 0, *extra]
    words += [0] * (HEADER_WORDS - len(words))
    words += dispatch.extents
    for spec in dispatch.maps:
        words.append(spec.offset & MASK)
        strides = [stride & MASK for stride in spec.strides[: request.rank]]
        words += strides + [0] * (request.rank - len(strides))
    words += parameters(dispatch.params, request.params)
    words += [0] * (-len(words) % 4)
    return words


def parameters(values: Sequence[complex], types: Sequence[DType]) -> list[int]:
    """The words of parameters of these types."""
    pairs = zip(values, types, strict=True)
    return [word for value, dtype in pairs for word in encode(value, dtype)]


def parameters_at(dispatch: Dispatch) -> int:
    """The number of the first of these words."""
    rank = dispatch.pipeline.request.rank
    return HEADER_WORDS + len(dispatch.extents) + len(dispatch.maps) * (1 + rank)


def launches(
    dispatch: Dispatch, stages: Sequence[S], tuning: Tuning, limit: int
) -> Iterator[tuple[S, Launch]]:
    """The launches of a dispatch, one per stage that has something to do.

    `limit` is how many bytes of scratch can be bound at once.
    """
    template = dispatch.pipeline.request.template
    count = math.prod(dispatch.extents)
    if not count:
        return
    if template is Template.REDUCE:
        yield from _reductions(dispatch, stages, count, tuning)
        return
    if template is Template.MATMUL:
        yield from _products(dispatch, stages)
        return
    if template is Template.SCAN:
        yield from _scans(dispatch, stages, count, tuning)
        return
    for stage in stages:
        groups = -(-count // stage.program.per_group)
        if stage.program.kind.startswith("tile"):
            groups = _tiles(dispatch.extents, int(stage.program.kind.removeprefix("tile")))
        if stage.program.kind == "loop" and stage.program.scratch:
            yield from _slices(dispatch, stage, count, tuning, limit)
            continue
        yield stage, Launch(parameter_words(dispatch, count), spread(groups))


def _products(dispatch: Dispatch, stages: Sequence[S]) -> Iterator[tuple[S, Launch]]:
    """One launch; where sums are split, their pieces and then their sums."""
    m, n, _ = dispatch.extents
    rows, columns = block_of(stages[0].program)
    groups = -(-m // rows) * -(-n // columns)
    if len(stages) == 1:
        yield stages[0], Launch(parameter_words(dispatch, m * n), spread(groups))
        return
    tile = TILES[stages[0].program.kind.split()[1]]
    request = dispatch.pipeline.request
    count, length = pieces(dispatch.extents, tile, symmetric=is_symmetric(request))
    words = parameter_words(dispatch, m * n, (length, count))
    scratch = count * m * n * stages[0].program.scratch
    yield stages[0], Launch(words, spread(groups * count), scratch)
    yield stages[1], Launch(list(words), spread(-(-m * n // 256)), scratch)


def _tiles(extents: tuple[int, ...], axis: int) -> int:
    """Tiles of 32 by 32 points over a box."""
    across = -(-extents[0] // 32) * -(-extents[axis] // 32)
    return across * math.prod(extents[1:]) // extents[axis]


def block_of(program: Program) -> tuple[int, int]:
    """Rows and columns of the results of one workgroup of a matrix product."""
    tile = TILES[program.kind.split()[1]]
    return tile.rows, tile.columns


def _scans(
    dispatch: Dispatch, stages: Sequence[S], count: int, tuning: Tuning
) -> Iterator[tuple[S, Launch]]:
    request = dispatch.pipeline.request
    _, shape = scan_cut(request, dispatch.extents, tuning)
    header = (shape.chunks, shape.per, shape.kept, shape.reduced, shape.reduced)
    for stage in stages:
        words = parameter_words(dispatch, count, header)
        pieces = shape.kept * (1 if stage.program.kind == "scan totals" else shape.chunks)
        scratch = shape.kept * shape.chunks * stage.program.scratch
        yield stage, Launch(words, spread(-(-pieces // stage.program.per_group)), scratch)


def _reductions(
    dispatch: Dispatch, stages: Sequence[S], count: int, tuning: Tuning
) -> Iterator[tuple[S, Launch]]:
    shape = cut(dispatch.pipeline.request, dispatch.extents, tuning)
    for stage in stages:
        first = "first" in stage.program.kind
        chunks, per, reduced = shape.chunks, shape.per, shape.reduced
        if not first:
            chunks, per, reduced = 1, shape.chunks, shape.chunks
        words = parameter_words(dispatch, count, (chunks, per, shape.kept, reduced))
        pieces = shape.kept * chunks
        scratch = shape.kept * shape.chunks * stage.program.scratch
        yield stage, Launch(words, spread(-(-pieces // stage.program.per_group)), scratch)


def _loop_of(dispatch: Dispatch) -> LoopSpec:
    loop = dispatch.pipeline.request.loop
    assert loop is not None
    return loop


def trips(dispatch: Dispatch) -> int:
    """Passes of a loop."""
    return int(dispatch.params[_loop_of(dispatch).trips].real)


def slices(dispatch: Dispatch, tuning: Tuning) -> int:
    """Launches a loop is cut into, so that none runs too long."""
    loop = _loop_of(dispatch)
    cost = sum(_COSTS.get(i.op, 2) for i in loop.steps)
    points = math.prod(dispatch.extents)
    if not loop.initial:
        return 1
    work = points * trips(dispatch) * cost
    return int(min(max(trips(dispatch), 1), 1 + work // tuning.loop_steps))


_COSTS = {
    "random_uniform": 40,
    "random_normal": 80,
    "sin": 40,
    "cos": 40,
    "exp": 30,
    "log": 30,
    "power": 100,
    "load": 4,
    "param": 0,
    "carry": 0,
}


def _slices(
    dispatch: Dispatch, stage: S, count: int, tuning: Tuning, limit: int
) -> Iterator[tuple[S, Launch]]:
    """Some passes at a time, of as many points as have room for their state."""
    total, pieces = trips(dispatch), slices(dispatch, tuning)
    per, size, width = -(-total // pieces), stage.program.scratch, stage.program.per_group
    room = max((limit - 16) // (size * width), 1) * width
    for start in range(0, count, room):
        points = min(room, count - start)
        groups = spread(-(-points // width))
        scratch = -(-points // 4) * 4 * size
        for first in range(0, total, per):
            words = parameter_words(dispatch, count, (first, min(first + per, total), total, start))
            yield stage, Launch(words, groups, scratch)
