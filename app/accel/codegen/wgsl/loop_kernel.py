"""Kernels with the loop inside: every invocation carries its points' state through all passes.

Where random numbers are drawn, an invocation has four neighbouring points, which share a block of
the generator. A long loop is cut into several launches that hand the state on through scratch;
where it has no room for all, some of the points run all of their passes before the others.
Where passes take a value over all points, a workgroup is a tile: its invocations stay together, add
up in workgroup memory, and one of them writes the tile's number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.compile_weight import allows_copies
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.accumulators import SIZES, Partial, accumulator
from app.accel.codegen.wgsl.casts import cast
from app.accel.codegen.wgsl.emit import Source, arrange, domain_report, word
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.program import Binding, Program, Role, Variant, declarations
from app.accel.codegen.wgsl.random_numbers import element, random
from app.accel.ir.dtypes import DType
from app.accel.ir.loop_node import TILE
from app.accel.ir.plan import Access, Instr, KernelRequest, LoopSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.codegen.wgsl.layout import Abilities

UNROLL = 4
SHORT = 48
"""Bodies with fewer instructions are written out several times."""
START = word(6)
"""The first point of a launch of a loop that is cut."""
_RANDOM = {"random_uniform", "random_normal"}


class LoopKernel:
    """One loop kernel being written.

    Attributes:
        sliced: whether the state passes through scratch from launch to launch.
        lanes: points of an invocation, 1 or 4.
    """

    def __init__(
        self, request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
    ) -> None:
        assert request.loop is not None
        self.request, self.variant = request, variant
        self.loop: LoopSpec = request.loop
        self.sliced = variant.mode == "sliced"
        self.shared = dict(variant.shared)
        self.source = Source(abilities)
        if request.guarded:
            self.source.helper("left", "var<private> left: bool;")
        self.words = arrange(request.rank, request.rank, len(request.maps), request.params)
        self.every = [*request.body, *self.loop.steps]
        self.lanes = 4 if any(self._draws(i) for i in self.every) else 1
        self.workgroup = TILE // self.lanes if self.loop.totals else workgroup
        self.bodies = [self._body(lane) for lane in range(self.lanes)]

    def _body(self, lane: int) -> Body:
        mark = f"_{lane}" if self.lanes == 4 else ""
        steps = {
            k: f"pass_ * {word(self.words.params[slot])}"
            for k, slot in enumerate(self.loop.loop_strides)
            if slot >= 0
        }
        arrays = {k: f"out{j}" for k, j in self.shared.items()}
        valid = f"i{mark} < p[0].y"
        if self.loop.totals:
            valid = f"first_point + {lane}u < p[0].y"
        return Body(
            self.request,
            self.source,
            self.words,
            steps=steps,
            arrays=arrays,
            lane=mark,
            valid=valid,
        )

    def _draws(self, instr: Instr) -> bool:
        """Random numbers of consecutive elements."""
        if instr.op not in _RANDOM:
            return False
        place = self.every[instr.args[2]]
        if place.op != "position" or place.attrs[0] in self.variant.loose:
            return False
        moving = self.loop.loop_strides and self.loop.loop_strides[place.attrs[0]] >= 0
        return self.request.maps[place.attrs[0]].access is Access.FLAT and not moving

    def _statements(self, instructions: Sequence[Instr], first: int) -> list[str]:
        """The instructions for all lanes, interleaved."""
        lines: list[str] = []
        for number, instr in enumerate(instructions, first):
            if self.lanes == 4 and self._draws(instr):
                lines += self._quad(number, instr)
                continue
            for body in self.bodies:
                lines += body.statements([instr], number)
        return lines

    def _quad(self, number: int, instr: Instr) -> list[str]:
        call = random(self.source, instr.op, instr.dtype, quad=True)
        key, offset = (self.bodies[0].name(a) for a in instr.args[:2])
        start = word(self.words.maps[self.every[instr.args[2]].attrs[0]])
        at = element(self.source, offset, f"i_0 + {start}")
        lines = [f"let x{number} = {call}({key}, {at});"]
        for body, component in zip(self.bodies, "xyzw", strict=True):
            body.dtypes[number] = instr.dtype
            lines.append(f"let {body.name(number)} = x{number}.{component};")
        return lines

    def program(self) -> Program:
        """The finished text."""
        request, loop = self.request, self.loop
        prologue = self._statements(request.body, 0)
        types = [self.bodies[0].dtypes[v] for v in loop.initial]
        for body in self.bodies:
            body.carries = tuple(types)
        steps = self._statements(loop.steps, len(request.body))
        passing = [
            line for b in self.bodies for s in loop.stores for line in self._store_lines(b, s)
        ]
        following = [
            f"carry{k}{b.lane} = {cast(self.source, b.name(v), b.dtypes[v], types[k])};"
            for b in self.bodies
            for k, v in enumerate(loop.following)
        ]
        adding = self._totals()
        for body in self.bodies:
            body.steps = {}
        epilogue = self._statements(request.epilogue, len(self.every))
        final = [
            line for b in self.bodies for s in request.stores for line in self._store_lines(b, s)
        ]
        passes = [*steps, *passing, *adding, *following]
        main = self._main(prologue, types, passes, self._kept_inside([*epilogue, *final]))
        bindings, kinds = self._bindings(types)
        parts = [
            f"// {request.label}",
            declarations(bindings, kinds, self.words),
            self.source.preamble(),
            *main,
        ]
        scratch = _state_size(types) if self.sliced else 0
        return Program(
            "\n".join(parts) + "\n",
            bindings,
            self.words,
            (self.workgroup, 1, 1),
            self.workgroup * self.lanes,
            kind="loop",
            scratch=scratch,
        )

    def _store_lines(self, body: Body, store: object) -> list[str]:
        lines = body.store(store)  # type: ignore[arg-type]
        if self.lanes == 1 and not self.loop.totals:
            return lines
        return [f"if ({body.valid}) {{", *(f"    {line}" for line in lines), "}"]

    def _kept_inside(self, final: list[str]) -> list[str]:
        """What only points of the box may do after the loop."""
        if not (self.loop.totals and final):
            return final
        return [f"if ({self.bodies[0].valid}) {{", *(f"    {line}" for line in final), "}"]

    def _partial(self, body: Body) -> Partial:
        """The totals of one point."""
        reduces = [total.reduce for total in self.loop.totals]
        return Partial(
            tuple(
                accumulator(self.source, r, body.dtypes[r.value], k, body.name(r.value), "0u")
                for k, r in enumerate(reduces)
            )
        )

    def _totals(self) -> list[str]:
        """Statements that take the totals of a pass over the tile."""
        if not self.loop.totals:
            return []
        lines = ["var sum = identity();"]
        for body in self.bodies:
            lifted = self._partial(body).lifted()
            lines.append(f"if ({body.valid}) {{ sum = merge(sum, {lifted}); }}")
        lines += ["tree[lane] = sum;", "workgroupBarrier();"]
        half = self.workgroup // 2
        lines += [
            f"for (var s = {half}u; s > 0u; s = s >> 1u) {{",
            "    if (lane < s) { tree[lane] = merge(tree[lane], tree[lane + s]); }",
            "    workgroupBarrier();",
            "}",
        ]
        partial = self._partial(self.bodies[0])
        tile = f"{self._start(TILE)}group.x + group.y * groups.x"
        place = f"{tile} + pass_ * ((p[0].y + {TILE - 1}u) / {TILE}u)"
        results = zip(self.loop.totals, partial.results(), strict=True)
        stores = [f"out{total.binding}[{place}] = {result};" for total, result in results]
        lines += [
            f"if (lane == 0u && ({tile}) * {TILE}u < p[0].y) {{ let t = tree[0];",
            *stores,
            "}",
            "workgroupBarrier();",
        ]
        return lines

    def _beginning(self) -> list[str]:
        """The first point of an invocation; in a tile all stay, those outside take the last."""
        number = f"((group.x + group.y * groups.x) * {self.workgroup}u + lane) * {self.lanes}u"
        place = f"{self._start()}{number}"
        if not self.loop.totals:
            return [f"let point = {place};", "if (point >= p[0].y) { return; }"]
        return [
            f"let first_point = {place};",
            f"let point = min(first_point, (p[0].y - 1u) / {self.lanes}u * {self.lanes}u);",
        ]

    def _start(self, unit: int = 1) -> str:
        """What is added to reach the first point of a launch, counted in units."""
        if not self.sliced:
            return ""
        return f"{START} / {unit}u + " if unit > 1 else f"{START} + "

    def _main(
        self, prologue: list[str], types: list[DType], steps: list[str], final: list[str]
    ) -> list[str]:
        size = self.workgroup
        lines = self._beginning()
        for k, body in enumerate(self.bodies):
            lines.append(f"let i{body.lane} = point + {k}u;")
            lines += body.coordinates(f"i{body.lane}")
        lines += prologue
        for body in self.bodies:
            lines += [
                f"var carry{k}{body.lane} = {body.name(v)};"
                for k, v in enumerate(self.loop.initial)
            ]
        first, last = "0u", word(self.words.params[self.loop.trips])
        if self.sliced:
            first, last = word(3), word(4)
            lines += self._resume(types)
        lines.append(f"var pass_ = {first};")
        short = self.lanes == 1 and len(self.loop.steps) < SHORT
        if short and allows_copies(self.loop.steps, UNROLL + 1):
            again = ["{", *(f"    {line}" for line in steps), "    pass_ = pass_ + 1u;", "}"]
            lines += [f"for (; pass_ + {UNROLL - 1}u < {last}; ) {{", *(again * UNROLL), "}"]
        lines.append(f"for (; pass_ < {last}; pass_ = pass_ + 1u) {{")
        lines += [*(f"    {line}" for line in steps), "}"]
        if self.sliced:
            lines += self._suspend(types)
            final = ["if (p[1].x >= p[1].y) {", *(f"    {line}" for line in final), "}"]
        lines += final
        lines += domain_report(self.request.guarded, indent="")
        state = self._state(types) if self.sliced else []
        if self.loop.totals:
            state += [
                self._partial(self.bodies[0]).text(),
                f"var<workgroup> tree: array<Partial, {size}>;",
            ]
        return [
            *state,
            f"@compute @workgroup_size({size})",
            "fn main(@builtin(workgroup_id) group: vec3<u32>, "
            "@builtin(num_workgroups) groups: vec3<u32>,",
            "        @builtin(local_invocation_index) lane: u32) {",
            "    set_zero(p[0].x);",
            *(f"    {line}" for line in lines),
            "}",
        ]

    def _state(self, types: list[DType]) -> list[str]:
        fields = ", ".join(f"s{k}: {_memory_type(t)}" for k, t in enumerate(types))
        return [f"struct State {{ {fields} }}"]

    def _resume(self, types: list[DType]) -> list[str]:
        lines = ["if (p[0].w > 0u) {"]
        for body in self.bodies:
            for k, dtype in enumerate(types):
                value = f"scratch[i{body.lane} - {START}].s{k}"
                shown = f"{value} != 0u" if dtype is DType.BOOL else value
                lines.append(f"    carry{k}{body.lane} = {shown};")
        return [*lines, "}"]

    def _suspend(self, types: list[DType]) -> list[str]:
        lines = ["if (p[1].x < p[1].y) {"]
        for body in self.bodies:
            for k, dtype in enumerate(types):
                value = f"carry{k}{body.lane}"
                shown = f"select(0u, 1u, {value})" if dtype is DType.BOOL else value
                lines.append(f"    scratch[i{body.lane} - {START}].s{k} = {shown};")
        return [*lines, "}"]

    def _bindings(self, types: list[DType]) -> tuple[tuple[Binding, ...], dict[Binding, str]]:
        request = self.request
        kinds: dict[Binding, str] = {}
        used = [*self.every, *request.epilogue]
        for k in sorted({i.attrs[0] for i in used if i.op in {"load", "load_at"}}):
            if k not in self.shared:
                kinds[Binding(Role.INPUT, k)] = layout.entries(request.inputs[k], False)
        for k, dtype in enumerate(request.outputs):
            packed = layout.LAYOUTS[dtype].packed > 1
            text = "atomic<u32>" if packed else layout.entries(dtype, False)
            kinds[Binding(Role.OUTPUT, k, writable=True)] = text
        if self.sliced and types:
            kinds[Binding(Role.SCRATCH, 0, writable=True)] = "State"
        if request.guarded:
            kinds[Binding(Role.STATUS, 0, writable=True)] = "atomic<u32>"
        return tuple(kinds), kinds


def _memory_type(dtype: DType) -> str:
    """The type in which a carried value waits in memory."""
    return "u32" if dtype is DType.BOOL else layout.register(dtype)


def _state_size(types: Sequence[DType]) -> int:
    at = align = 4
    at = 0
    for dtype in types:
        size = SIZES[_memory_type(dtype)]
        at, align = -(-at // size) * size + size, max(align, size)
    return -(-at // align) * align


def generate(
    request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
) -> Program:
    """The program of a loop."""
    return LoopKernel(request, variant, workgroup, abilities=abilities).program()
