"""Reductions along an axis and what follows from them, row by row, in one kernel.

A softmax is three kernels: the largest of each row, the sum of the exponentials, the quotients. As
phases of one kernel, with a barrier between them, a workgroup has its rows in its caches from the
first phase on, and memory is read once. Rows that lie one after the other have a workgroup, or a
part of one, each; where neighbours in memory belong to different rows, a workgroup has as many rows
as fill what memory delivers at once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.accel.codegen.compile_weight import allows_copies
from app.accel.codegen.wgsl import layout, reduce
from app.accel.codegen.wgsl.emit import Source, arrange, domain_report, word
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.maps import heavy
from app.accel.codegen.wgsl.program import Binding, Program, Role, declarations
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.plan import Template
from app.records import record

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.accumulators import Partial
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.dtypes import DType
    from app.accel.ir.plan import KernelRequest

WORKGROUP = 256
MOST_SHARED = 32768
"""Bytes of workgroup memory that leave room for other workgroups beside this one."""
OWN = re.compile(r"\b(Partial|identity|merge|moved|element|finish|point|place_of)\b")
WORDS = re.compile(r"\bp\[(\d+)\]")
ARRAYS = re.compile(r"\b(in|out)(\d+)\b")

HEAD = wgsl_template("row_chain/head")
LANE = "@builtin(local_invocation_index) lane: u32) {"
BANDED_LANE = wgsl_text("row_chain/banded_lane")
"""Lanes numbered subgroup after subgroup: neighbours can exchange what they hold."""
TOTAL = wgsl_template("row_chain/total")
SHARED = wgsl_template("row_chain/shared")
EXCHANGED = wgsl_template("row_chain/exchanged")
UNROLLED = wgsl_template("row_chain/unrolled")
POINTS = wgsl_template("row_chain/points")


@record
class RowShape:
    """How rows are shared out.

    Attributes:
        rows: of a workgroup; a power of two.
        leading: whether a row's elements are neighbours in memory.
    """

    rows: int
    leading: bool

    @property
    def team(self) -> int:
        """Lanes of a row."""
        return WORKGROUP // self.rows


@record
class Phase:
    """One kernel of a chain.

    Attributes:
        request: what it computes.
        inputs: per input binding, the number of the array it is.
        outputs: the same of outputs.
    """

    request: KernelRequest
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@record
class Chain:
    """Phases over the rows of one box, and the arrays that they read and write.

    Attributes:
        phases: in order.
        arrays: per array its binding and element type.
        shape: how rows are shared out.
    """

    phases: tuple[Phase, ...]
    arrays: tuple[tuple[Binding, DType], ...]
    shape: RowShape

    @property
    def key(self) -> tuple[object, ...]:
        """What chains with the same program have in common."""
        phases = tuple((p.request.key, p.inputs, p.outputs) for p in self.phases)
        return "rows", phases, self.arrays, self.shape


def program(chain: Chain, abilities: Abilities) -> Program | None:
    """The kernel of a chain; None where it is too long, or needs too much workgroup memory."""
    if not allows_copies((i for p in chain.phases for i in p.request.body), 1):
        return None
    source = Source(abilities)
    guarded = any(p.request.guarded for p in chain.phases)
    if guarded:
        source.helper("left", "var<private> left: bool;")
    functions, main, first, shared = list[str](), list[str](), 0, 0
    for q, phase in enumerate(chain.phases):
        request = phase.request
        words = arrange(request.rank, request.rank, len(request.maps), request.params)
        if request.template is Template.MAP:
            lines = _point(request, source, leading=chain.shape.leading)
            main.append(POINTS.format(q=q, team=chain.shape.team))
        else:
            text, lines, partial = _row_phase(request, source, q, chain.shape)
            main.append(text)
            shared += WORKGROUP * partial.size()
        functions += [_line_in_chain(line, phase, q, first) for line in lines]
        first += words.total // 4
    if shared > min(MOST_SHARED, abilities.workgroup_bytes):
        return None
    return _assembled_program(chain, source, functions, main, total=4 * first, guarded=guarded)


def _row_phase(
    request: KernelRequest, source: Source, q: int, shape: RowShape
) -> tuple[str, list[str], Partial]:
    """A phase along rows: its text and functions, and what each lane holds of a result."""
    team = shape.team
    lines, partial = reduce.functions(request, source, WORKGROUP)
    lines.append(f"var<workgroup> tree_{q}: array<Partial, {WORKGROUP}>;")
    moved = partial.moved()
    near = min(_most_apart(shape, source.abilities), team // 2) if moved else 0
    if moved and near:
        lines.append(moved)
    return _total(request, q, team, near), lines, partial


def _most_apart(shape: RowShape, abilities: Abilities) -> int:
    """How far lanes of one row may be from each other that exchange what they hold; 0: none do."""
    return abilities.subgroup_lanes // 2 if shape.leading else 0


def _total(request: KernelRequest, q: int, team: int, near: int) -> str:
    half = team // 2
    shared = SHARED.format(q=q, half=half, near=near) if half > near else ""
    exchanged = EXCHANGED.format(q=q, near=near) if near else ""
    light = not heavy(request) and allows_copies(request.body, 5)
    unrolled = UNROLLED.format(q=q, team=team, two=2 * team, three=3 * team, four=4 * team)
    return TOTAL.format(
        q=q, team=team, unrolled=unrolled if light else "", shared=shared, exchanged=exchanged
    )


def _point(request: KernelRequest, source: Source, *, leading: bool) -> list[str]:
    """The function that computes and stores element r of row j."""
    words = arrange(request.rank, request.rank, len(request.maps), request.params)
    body = Body(request, source, words, valid="true")
    statements = body.statements(request.body)
    for store in request.stores:
        statements += body.store(store)
    places = ("r", "j") if leading else ("j", "r")
    return [
        "fn point(j: u32, r: u32) {",
        f"    let c0 = {places[0]}; let c1 = {places[1]};",
        f"    let i = c1 * {word(words.extents)} + c0;",
        *(f"    {line}" for line in statements),
        "}",
    ]


def _line_in_chain(line: str, phase: Phase, q: int, first: int) -> str:
    """A line of a phase with the chain's names of functions, words and arrays."""
    line = OWN.sub(rf"\1_{q}", line)
    line = WORDS.sub(lambda found: f"p[{int(found[1]) + first}]", line)
    numbers = {"in": phase.inputs, "out": phase.outputs}
    return ARRAYS.sub(lambda found: f"array{numbers[found[1]][int(found[2])]}", line)


def _assembled_program(
    chain: Chain,
    source: Source,
    functions: list[str],
    main: list[str],
    *,
    total: int,
    guarded: bool,
) -> Program:
    shape = chain.shape
    row, place = f"lane / {shape.team}u", f"lane % {shape.team}u"
    if not shape.leading:
        row, place = f"lane % {shape.rows}u", f"lane / {shape.rows}u"
    lane = BANDED_LANE if _most_apart(shape, source.abilities) else LANE
    head = HEAD.format(
        size=WORKGROUP, lane=lane, row=row, place=place, team=shape.team, rows=shape.rows
    )
    types = {binding: _entries(binding, dtype) for binding, dtype in chain.arrays}
    if guarded:
        types[Binding(Role.STATUS, 0, writable=True)] = "atomic<u32>"
        main = [*main, *domain_report(guarded)]
    words = arrange(total - 8, 0, 0, ())
    bound = declarations(tuple(types), types, words)
    for number, (binding, _) in enumerate(chain.arrays):
        name = f"{binding.role.value.removesuffix('put')}{binding.number}:"
        bound = bound.replace(f"> {name}", f"> array{number}:")
    label = " ► ".join(phase.request.label for phase in chain.phases)
    parts = [f"// rows: {label}", bound, source.preamble(), *functions, head, *main, "}"]
    text = "\n".join(parts) + "\n"
    return Program(text, tuple(types), words, (WORKGROUP, 1, 1), shape.rows, kind="rows")


def _entries(binding: Binding, dtype: DType) -> str:
    packed = binding.writable and layout.LAYOUTS[dtype].packed > 1
    return "atomic<u32>" if packed else layout.entries(dtype, False)
