"""Reductions: producers inlined, several results in one pass, a fixed tree, one or two passes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from app.accel.codegen.compile_weight import allows_copies
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.accumulators import Partial, accumulator
from app.accel.codegen.wgsl.emit import Source, arrange, domain_report, word
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.maps import heavy, quad_bindings
from app.accel.codegen.wgsl.program import Binding, Program, Role, Variant, declarations
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.plan import Access, KernelRequest

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Words
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.dtypes import DType

    Use: TypeAlias = tuple[tuple[Binding, ...], dict[Binding, str]]

HEAD = wgsl_template("reduce/head")
BY_GROUP = wgsl_template("reduce/by_group")
BY_TEAM = wgsl_template("reduce/by_team")
BY_THREAD = wgsl_template("reduce/by_thread")
# Four independent elements (or quads) at a time keep as many loads on their way.
GROUP_LOOP = wgsl_template("reduce/group_loop")
SINGLE_LOOP = wgsl_template("reduce/single_loop")
THREAD_SEVERAL = wgsl_text("reduce/thread_several")
THREAD_LOOP = """\
    for (; r < reduced; r = r + chunks) { total = merge(total, element(j, r)); }"""
LANES_SEVERAL = wgsl_text("reduce/lanes_several")
LANES_LOOP = wgsl_text("reduce/lanes_loop")


def _loop_by_group(request: KernelRequest, quads: bool, first: bool) -> str:
    """How a workgroup walks: with several elements on their way, where copies compile quickly."""
    light = first and not heavy(request) and allows_copies(request.body, 20 if quads else 5)
    return GROUP_LOOP if light else SINGLE_LOOP


def _loop_by_thread(request: KernelRequest, quads: bool, first: bool, few: bool) -> str:
    """How a thread walks; the second pass reads partial results and computes nothing."""
    several, rest = (LANES_SEVERAL, LANES_LOOP) if quads else (THREAD_SEVERAL, THREAD_LOOP)
    light = not first or allows_copies(request.body, 12 if quads else 5)
    return several + rest if light and not few else rest


class ReduceKernel:
    """One or two programs of a reduction being written."""

    def __init__(
        self, request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
    ) -> None:
        self.request, self.variant, self.workgroup = request, variant, workgroup
        self.abilities = abilities
        self.even = variant.mode.endswith("qe")  # a quad differs on the first axis alone
        self.quads = self.even or variant.mode.endswith("q")
        mode = variant.mode.removesuffix("qe").removesuffix("q")
        self.mode, _, team = mode.partition("/")
        self.team = int(team or 0)
        self.words = arrange(request.rank, request.rank, len(request.maps), request.params)

    def programs(self) -> tuple[Program, ...]:
        """The first pass and, where results are cut into pieces, the second."""
        by_group = self.mode[0] == "g"
        if self.mode[1] == "1":
            return (self._pass(by_group, first=True, last=True),)
        return (
            self._pass(by_group, first=True, last=False),
            self._pass(self.mode[2] == "g", first=False, last=True),
        )

    def _pass(self, by_group: bool, *, first: bool, last: bool) -> Program:
        """One program: elements from the body or from scratch, results to scratch or out."""
        source = Source(self.abilities)
        if self.request.guarded:
            source.helper("left", "var<private> left: bool;")
        quads = quad_bindings(self.request, self.variant, outputs=False) if self.quads else None
        use_quads = first and bool(quads) and not heavy(self.request) and not self._stores_elements
        chosen = quads if use_quads and quads else frozenset[int]()
        body = Body(self.request, source, self.words, chosen, valid="true")
        element, partial = self.element_lines(source, body, use_quads, by_group)
        lines = [partial.text()]
        lines += (
            element
            if first
            else ["fn element(j: u32, r: u32) -> Partial { return scratch[r * p[1].y + j]; }"]
        )
        lines += self.finish_lines(source, partial) if last else []
        lines += self._main(by_group, use_quads, first, last)
        kind = f"reduce {'first' if first else 'last'} {'group' if by_group else 'thread'}"
        whole = first and last
        use = self._bindings(first, last, not whole, body.quads)
        alone = self.workgroup // self.team if self.team else 1
        per_group = alone if by_group else self.workgroup * (4 if use_quads else 1)
        scratch = 0 if whole else partial.size()
        return self._assembled_program(
            source, lines, use, kind=kind, per_group=per_group, scratch=scratch
        )

    @property
    def _stores_elements(self) -> bool:
        """Whether elements are written on the way: neighbouring lanes have to write neighbours."""
        return any(store.value < len(self.request.body) for store in self.request.stores)

    def _assembled_program(
        self, source: Source, lines: list[str], use: Use, *, kind: str, per_group: int, scratch: int
    ) -> Program:
        """A program from its functions: declarations and helpers go first."""
        bindings, types = use
        parts = [
            f"// {self.request.label}",
            declarations(bindings, types, self.words),
            source.preamble(),
            *lines,
        ]
        return Program(
            "\n".join(parts) + "\n",
            bindings,
            self.words,
            (self.workgroup, 1, 1),
            per_group,
            kind=kind,
            scratch=scratch,
        )

    def element_lines(
        self, source: Source, body: Body, quads: bool, by_group: bool
    ) -> tuple[list[str], Partial]:
        """The function that computes one element's contribution (and one quad's)."""
        fetched: list[tuple[int, DType]] = []
        if quads:
            for number, instr in enumerate(self.request.body):
                if instr.op == "load" and instr.attrs[0] in body.quads:
                    body.given[number] = f"v{number}"
                    fetched.append((number, instr.dtype))
        statements = body.statements(self.request.body)
        stores = [s for s in self.request.stores if s.value < len(self.request.body)]
        for store in stores:
            statements += body.store(store)
        parts = tuple(
            accumulator(source, r, body.dtypes[r.value], k, body.name(r.value), "r")
            for k, r in enumerate(self.request.reductions)
        )
        partial = Partial(parts)
        arguments = "".join(f", v{n}: {layout.register(d)}" for n, d in fetched)
        places = self._coordinates_of_element(body)
        axes = ""
        if places and quads and self.even:
            axes = "".join(f", c{k}: u32" for k in range(self.request.rank))
        inner = [*([] if axes else places), linear_index(self.request, self.words), *statements]
        inner.append(f"return {partial.lifted()};")
        lines = [
            f"fn element(j: u32, r: u32{axes}{arguments}) -> Partial {{",
            *(f"    {line}" for line in inner),
            "}",
        ]
        if quads:
            lines += (
                self._quad(body, fetched, places if axes else [])
                if by_group
                else self._quad_function(body, fetched)
            )
        return lines, partial

    def _fetched_quads(
        self, body: Body, fetched: list[tuple[int, DType]]
    ) -> tuple[list[str], dict[int, list[str]]]:
        """Statements that load the quads at ``at``, and their lanes."""
        lines: list[str] = []
        lanes: dict[int, list[str]] = {}
        for number, dtype in fetched:
            binding, map_ = self.request.body[number].attrs
            offset = word(self.words.maps[map_])
            more, lanes[number] = layout.load_quad(
                body.array(binding), dtype, f"at + ({offset} >> 2u)", f"x{number}"
            )
            lines += [f"    {line}" for line in more]
        return lines, lanes

    def _quad_function(self, body: Body, fetched: list[tuple[int, DType]]) -> list[str]:
        """The function that computes element r of four neighbouring results."""
        loads, lanes = self._fetched_quads(body, fetched)
        calls = [
            f"element(j + {lane}u, r{''.join(f', {lanes[n][lane]}' for n, _ in fetched)})"
            for lane in range(4)
        ]
        return [
            "struct Four { v0: Partial, v1: Partial, v2: Partial, v3: Partial }",
            "fn across4(j: u32, r: u32) -> Four {",
            "    let at = r * (p[1].y >> 2u) + (j >> 2u);",
            *loads,
            f"    return Four({', '.join(calls)});",
            "}",
        ]

    def _quad(self, body: Body, fetched: list[tuple[int, DType]], places: list[str]) -> list[str]:
        """The function that merges four consecutive elements of one result.

        `places` are statements for the coordinates of the first one, from which the others differ
        on the first axis alone; none where each finds its own.
        """
        lines = ["fn quad(j: u32, q: u32) -> Partial {", "    let at = j * (p[1].z >> 2u) + q;"]
        loads, lanes = self._fetched_quads(body, fetched)
        lines += ["    let r = 4u * q;", *(f"    {line}" for line in places), *loads]
        others = "".join(f", c{k}" for k in range(1, self.request.rank)) if places else ""
        calls = [
            f"element(j, r + {lane}u{f', c0 + {lane}u{others}' if places else ''}"
            f"{''.join(f', {lanes[n][lane]}' for n, _ in fetched)})"
            for lane in range(4)
        ]
        lines += [
            f"    return merge(merge({calls[0]}, {calls[1]}),",
            f"                 merge({calls[2]}, {calls[3]}));",
            "}",
        ]
        return lines

    def _coordinates_of_element(self, body: Body) -> list[str]:
        """Statements for the coordinates of element r of result j, where they are needed."""
        flat = any(spec.access is Access.FLAT for spec in self.request.maps)
        if not (body.used_axes or (flat and not _is_simple(self.request))):
            return []
        return _coordinates(self.request, self.words, "r", True) + _coordinates(
            self.request, self.words, "j", False
        )

    def finish_lines(self, source: Source, partial: Partial) -> list[str]:
        """The function that stores the results of one kept place."""
        request = self.request
        body = Body(
            request, source, self.words, prefix="e", results=partial.results(), valid="true"
        )
        first, places = len(request.body), list[str]()
        statements = body.statements(request.epilogue, first)
        for store in request.stores:
            if store.value >= first:
                statements += body.store(store)
        if body.used_axes:
            zeros = [f"let c{k} = 0u;" for k, flag in enumerate(request.reduced) if flag]
            places = [*_coordinates(request, self.words, "i", False), *zeros]
        inner = (f"    {line}" for line in (*places, *statements))
        return ["fn finish(i: u32, t: Partial) {", *inner, "}"]

    def _main(self, by_group: bool, quads: bool, first: bool, last: bool) -> list[str]:
        size = self.workgroup
        lines = [f"var<workgroup> tree: array<Partial, {size}>;"] if by_group else []
        lines.append(HEAD.format(size=size))
        if by_group and self.team:
            loop = self._group_loop(quads, True, self.team).replace("lane", "place")
            lines.append(
                BY_TEAM.format(
                    loop=loop.replace("piece", "0u"),
                    half=self.team // 2,
                    team=self.team,
                    teams=size // self.team,
                )
            )
        elif by_group:
            finish = "finish(j, tree[0]);" if last else "scratch[piece * kept + j] = tree[0];"
            lines.append(
                BY_GROUP.format(
                    loop=self._group_loop(quads, first, size), finish=finish, half=size // 2
                )
            )
        else:
            lines.append(self._threads(quads, first, last))
        lines += domain_report(self.request.guarded)
        return [*lines, "}"]

    def _group_loop(self, quads: bool, first: bool, size: int) -> str:
        whole = "min((piece + 1u) * per, reduced)"
        return _loop_by_group(self.request, quads, first).format(
            call="quad" if quads else "element",
            per="per >> 2u" if quads else "per",
            end=f"{whole} >> 2u" if quads else whole,
            size=size,
            two=2 * size,
            three=3 * size,
            four=4 * size,
        )

    def _threads(self, quads: bool, first: bool, last: bool) -> str:
        lanes = 4 if quads else 1
        marks = [str(k) for k in range(4)] if quads else [""]
        store = (
            "finish(j + {k}u, total{m});"
            if last
            else ("scratch[piece * kept + j + {k}u] = total{m};")
        )
        return BY_THREAD.format(
            size=self.workgroup,
            lanes=lanes,
            loop=_loop_by_thread(self.request, quads, first, self.mode == "t1s"),
            totals="\n".join(f"    var total{m} = identity();" for m in marks),
            finish="\n".join("    " + store.format(k=k, m=m) for k, m in enumerate(marks)),
        )

    def _bindings(self, first: bool, last: bool, scratch: bool, quads: frozenset[int]) -> Use:
        request, body_size = self.request, len(self.request.body)
        types: dict[Binding, str] = {}
        used = [
            i
            for part, here in ((request.body, first), (request.epilogue, last))
            if here
            for i in part
        ]
        loaded = {i.attrs[0] for i in used if i.op in {"load", "load_at"}}
        for k in sorted(loaded):
            types[Binding(Role.INPUT, k)] = layout.entries(request.inputs[k], k in quads)
        stored = {s.binding for s in request.stores if (last if s.value >= body_size else first)}
        for k in sorted(stored):
            packed = layout.LAYOUTS[request.outputs[k]].packed > 1
            text = "atomic<u32>" if packed else layout.entries(request.outputs[k], False)
            types[Binding(Role.OUTPUT, k, writable=True)] = text
        if scratch:
            types[Binding(Role.SCRATCH, 0, writable=True)] = "Partial"
        if request.guarded and (first or last):
            types[Binding(Role.STATUS, 0, writable=True)] = "atomic<u32>"
        return tuple(types), types


def _is_simple(request: KernelRequest) -> bool:
    """Whether reduced axes are next to each other at one end."""
    return sum(a != b for a, b in pairwise(request.reduced)) <= 1


def linear_index(request: KernelRequest, words: Words) -> str:
    """The statement for the linear index ``i`` of element r of result j."""
    if _is_simple(request):
        first = request.reduced[0]
        return "let i = j * p[1].z + r;" if first else "let i = r * p[1].y + j;"
    term, factor = [], "1u"
    for k in range(request.rank):
        term.append(f"c{k} * {factor}")
        extent = word(words.extents + k)
        factor = extent if k == 0 else f"{factor} * {extent}"
    return f"let i = {' + '.join(term)};"


def _coordinates(request: KernelRequest, words: Words, name: str, reduced: bool) -> list[str]:
    """Statements for the coordinates of a linear index of reduced axes, or of the others."""
    axes = [k for k, flag in enumerate(request.reduced) if flag == reduced]
    lines, rest = [], name
    for k in axes:
        if k == axes[-1]:
            lines.append(f"let c{k} = {rest};")
        else:
            extent = word(words.extents + k)
            lines += [f"let c{k} = {rest} % {extent};", f"let d{k} = {rest} / {extent};"]
            rest = f"d{k}"
    return lines


def functions(request: KernelRequest, source: Source, workgroup: int) -> tuple[list[str], Partial]:
    """The functions of a whole pass: what an element adds, and what is made of the total."""
    kernel = ReduceKernel(request, Variant(mode="g1"), workgroup, abilities=source.abilities)
    body = Body(request, source, kernel.words, valid="true")
    element, partial = kernel.element_lines(source, body, quads=False, by_group=True)
    return [partial.text(), *element, *kernel.finish_lines(source, partial)], partial


def generate(
    request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
) -> tuple[Program, ...]:
    """The programs of a reduction."""
    return ReduceKernel(request, variant, workgroup, abilities=abilities).programs()
