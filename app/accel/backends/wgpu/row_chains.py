"""Which dispatches that follow each other are run row by row as one kernel; see `row_chain`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from app.accel.backends.wgpu.launches import Run, run_of
from app.accel.backends.wgpu.pipelines import Compiled
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.layout import LAYOUTS
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.row_chain import WORKGROUP, Chain, Phase, RowShape, program
from app.accel.ir.plan import Access, Template
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.accel.backends.wgpu.memory import DeviceBuffer
    from app.accel.backends.wgpu.pipelines import Compiler, WgpuPipeline
    from app.accel.ir.plan import Dispatch, KernelRequest

KINDS = frozenset({Template.REDUCE, Template.MAP})
"""Scans are none of them: as phases they take up to nine times as long as on their own."""
MOST_PHASES = 6
ROW_BYTES = 1 << 15
"""Of a row whose elements are neighbours: what a workgroup finds again in its nearest cache."""
BLOCK_BYTES = 1 << 18
"""Of rows that lie beside each other: what all workgroups together find again in a cache."""
SEGMENT = 128
"""Bytes that memory delivers at once."""
ALONE = 8
"""Elements of a row that one lane takes."""
LEAST_GROUPS = 128
ENOUGH_GROUPS = 1024
"""Workgroups that keep a card busy; with more, lanes do better with more elements of their own."""


class Place(NamedTuple):
    """How a phase reads or writes an array: element by element, a number a row, or otherwise."""

    array: int
    how: str
    written: bool


@dataclass(slots=True)
class RowChains:
    """Finds chains, compiles them beside the script, and runs those that are compiled.

    Attributes:
        compiler: of the adapter.
        limit: bytes that are bound at once.
        compiled: per chain its shader; None where it has none.
        awaited: whether a chain among what was looked at last is still being compiled.
    """

    compiler: Compiler
    limit: int
    compiled: dict[tuple[object, ...], Compiled | None] = field(default_factory=dict)
    awaited: bool = False

    def runs(self, dispatches: Sequence[Dispatch]) -> dict[int, list[Run]]:
        """Per dispatch that is part of a chain its runs: the last one's does the work of all."""
        found: dict[int, list[Run]] = {}
        self.awaited = False
        if self.compiler.tuning.cpu or len(dispatches) < 2:
            return found
        for start, stop in _stretches(dispatches):
            run = self._run(dispatches[start:stop])
            if run is not None:
                found |= {k: [] for k in range(start, stop)} | {stop - 1: [run]}
        return found

    def _run(self, dispatches: Sequence[Dispatch]) -> Run | None:
        shape = _row_shape(dispatches[0])
        linked = _chain_and_dispatch(dispatches, shape, self.limit) if shape else None
        if linked is None or shape is None:
            return None
        chain, whole = linked
        shader = self._shader(chain)
        if shader is None:
            return None
        kept, reduced = _extents(dispatches[0])
        words = list[int]()
        for dispatch in dispatches:
            words += parameter_words(dispatch, kept * reduced, (1, reduced, kept, reduced, reduced))
        launch = Launch(words, spread(-(-kept // shape.rows)))
        return run_of(shader, launch, whole)

    def _shader(self, chain: Chain) -> Compiled | None:
        """The shader, once it has been compiled beside the script."""
        key = chain.key
        known = self.compiled.get(key)
        if known is not None and not known.live:
            self._drop_given_up()
        if key not in self.compiled:
            self.awaited = True
            self.compiler.ahead.add(key, lambda: self._compile(chain))
        return self.compiled.get(key)

    def _drop_given_up(self) -> None:
        """Forget the chains whose shaders were given up."""
        for key, known in list(self.compiled.items()):
            if known is not None and not known.live:
                del self.compiled[key]
                self.compiler.ahead.forget(key)

    def _compile(self, chain: Chain) -> None:
        try:
            made = program(chain, self.compiler.abilities)
            shader = self.compiler.shader(made, "rows") if made else None
            self.compiled[chain.key] = Compiled(made, shader) if made and shader else None
        except Unsupported:  # the kernels run one after the other, as they do meanwhile
            self.compiled[chain.key] = None


def _request(dispatch: Dispatch) -> KernelRequest:
    return cast("WgpuPipeline", dispatch.pipeline).request


def _stretches(dispatches: Sequence[Dispatch]) -> Iterator[tuple[int, int]]:
    """Dispatches that walk the same rows, beginning with a reduction along them."""
    start = 0
    while start < len(dispatches):
        first, stop = dispatches[start], start + 1
        request = _request(first)
        if request.template is Template.REDUCE and request.rank == 2:
            while stop < len(dispatches) and stop - start < MOST_PHASES:
                following = _request(dispatches[stop])
                same = dispatches[stop].extents == first.extents and following.template in KINDS
                along = following.template is Template.REDUCE
                if not same or (along and following.reduced != request.reduced):
                    break
                stop += 1
            if stop - start > 1:
                yield start, stop
        start = stop


def _extents(dispatch: Dispatch) -> tuple[int, int]:
    """How many rows, and the elements of one."""
    leading = _request(dispatch).reduced[0]
    a, b = dispatch.extents
    return (b, a) if leading else (a, b)


def _team(kept: int, reduced: int, most: int) -> int:
    """Lanes that share a row: for sixteen elements each, or for four where there are few rows.

    Lanes without an element, and lanes with one, wait for each other longer than they work.
    """
    team = 1 if reduced <= ALONE else 2
    while team < most:
        few = kept * team < ENOUGH_GROUPS * WORKGROUP
        if team * (4 if few else 16) >= reduced:
            break
        team *= 2
    return team


def _row_shape(dispatch: Dispatch) -> RowShape | None:
    """How the rows are shared out; None where they would not stay in a cache, or are too few."""
    request = _request(dispatch)
    kept, reduced = _extents(dispatch)
    size = max(dtype.size for dtype in (*request.inputs, *request.outputs))
    most = WORKGROUP
    if not request.reduced[0]:
        side_by_side = SEGMENT // size
        most //= side_by_side // (2 if side_by_side * reduced * size > BLOCK_BYTES else 1)
    rows = WORKGROUP // _team(kept, reduced, most)
    fits = (
        reduced * size <= ROW_BYTES if request.reduced[0] else rows * reduced * size <= BLOCK_BYTES
    )
    enough = reduced > 1 and kept >= LEAST_GROUPS * rows
    return RowShape(rows, request.reduced[0]) if fits and enough else None


def _chain_and_dispatch(
    dispatches: Sequence[Dispatch], shape: RowShape, limit: int
) -> tuple[Chain, Dispatch] | None:
    """The chain of some dispatches, and a dispatch of all its arrays; None where rows depend on
    other rows, or nothing is gained."""
    arrays: list[DeviceBuffer] = []
    numbers: dict[tuple[int, int, int], int] = {}

    def number(buffer: DeviceBuffer) -> int:
        if buffer.place not in numbers:
            numbers[buffer.place] = len(arrays)
            arrays.append(buffer)
        return numbers[buffer.place]

    phases, places = list[Phase](), list[list[Place]]()
    for dispatch in dispatches:
        held = cast("tuple[tuple[DeviceBuffer, ...], ...]", (dispatch.inputs, dispatch.outputs))
        if any(b.parts or b.count * b.dtype.size + 16 > limit for side in held for b in side):
            return None
        inputs, outputs = (tuple(number(b) for b in side) for side in held)
        phases.append(Phase(_request(dispatch), inputs, outputs))
        places.append(list(_places(dispatch, phases[-1], shape)))
    written = {place.array for phase in places for place in phase if place.written}
    if not _row_by_row(places, written, arrays) or not _gains(places):
        return None
    return _chain(phases, arrays, written, shape, dispatches[-1])


def _chain(
    phases: list[Phase],
    arrays: list[DeviceBuffer],
    written: set[int],
    shape: RowShape,
    last: Dispatch,
) -> tuple[Chain, Dispatch]:
    inputs = tuple(k for k in range(len(arrays)) if k not in written)
    outputs = tuple(sorted(written))
    places = {k: Binding(Role.INPUT, n) for n, k in enumerate(inputs)}
    places |= {k: Binding(Role.OUTPUT, n, writable=True) for n, k in enumerate(outputs)}
    bound = tuple((places[k], array.dtype) for k, array in enumerate(arrays))
    whole = replace(
        last,
        inputs=tuple(arrays[k] for k in inputs),
        outputs=tuple(arrays[k] for k in outputs),
        memo=None,
    )
    return Chain(tuple(phases), bound, shape), whole


def _places(dispatch: Dispatch, phase: Phase, shape: RowShape) -> Iterator[Place]:
    """How a phase reaches each of its arrays."""
    request = phase.request
    split = len(request.body) if request.template is Template.REDUCE else 1 << 30
    for k, instr in enumerate((*request.body, *request.epilogue)):
        if instr.op == "load":
            how = _access_kind(dispatch, instr.attrs[1], shape, late=k >= split)
            yield Place(phase.inputs[instr.attrs[0]], how, written=False)
        elif instr.op == "load_at":
            yield Place(phase.inputs[instr.attrs[0]], "other", written=False)
    for store in request.stores:
        how = _access_kind(dispatch, store.map, shape, late=store.value >= split)
        yield Place(phase.outputs[store.binding], how, written=True)


def _access_kind(dispatch: Dispatch, number: int, shape: RowShape, *, late: bool) -> str:
    spec, values = _request(dispatch).maps[number], dispatch.maps[number]
    if values.offset:
        return "other"
    if spec.access is Access.FLAT:
        return "row" if late else "element"
    along, across = values.strides[:2] if shape.leading else values.strides[1::-1]
    return "row" if spec.access is Access.STRIDED and (along, across) == (0, 1) else "other"


def _row_by_row(places: list[list[Place]], written: set[int], arrays: list[DeviceBuffer]) -> bool:
    """Whether what is written is reached in one way alone, and only by its own row."""
    ways: dict[int, set[str]] = {}
    read = set[int]()
    for place in (p for phase in places for p in phase):
        ways.setdefault(place.array, set()).add(place.how)
        read |= set() if place.written else {place.array}
    if any(ways[k] not in ({"row"}, {"element"}) for k in written):
        return False
    # Packed elements of neighbouring rows share words, which are read and written as atomics.
    return not any(LAYOUTS[arrays[k].dtype].packed > 1 for k in written & read)


def _gains(places: list[list[Place]]) -> bool:
    """Whether elements are read again, and a phase needs numbers of rows from one before."""
    known, seen, needs, again = set[int](), set[int](), False, False
    for phase in places:
        reads = {p.array: p.how for p in phase if not p.written}
        needs |= any(how == "row" and k in known for k, how in reads.items())
        again |= any(how == "element" and k in seen for k, how in reads.items())
        seen |= {p.array for p in phase if p.how == "element"}
        known |= {p.array for p in phase if p.written and p.how == "row"}
    return needs and again
