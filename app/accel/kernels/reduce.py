"""Reductions: producers inlined, several results in one pass, a fixed tree, one or two passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.kernels import storage
from app.accel.kernels.accumulators import Partial, accumulator
from app.accel.kernels.expressions import Body
from app.accel.kernels.maps import heavy, quad_bindings
from app.accel.kernels.program import Binding, Program, Role, Variant, declarations
from app.accel.kernels.text import Source, arrange, word
from app.accel.plan import Access, KernelRequest

if TYPE_CHECKING:
    from app.accel.dtypes import DType

HEAD = """\
@compute @workgroup_size({size})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {{
    zero = p[0].x;
    let chunks = p[0].w; let per = p[1].x; let kept = p[1].y; let reduced = p[1].z;"""
BY_GROUP = """\
    let number = group.x + group.y * groups.x;
    if (number >= kept * chunks) {{ return; }}
    let j = number / chunks;
    let piece = number % chunks;
    let end = min((piece + 1u) * per, reduced);
    var total = identity();
{loop}
    tree[lane] = total;
    workgroupBarrier();
    for (var s = {half}u; s > 0u; s = s >> 1u) {{
        if (lane < s) {{ tree[lane] = merge(tree[lane], tree[lane + s]); }}
        workgroupBarrier();
    }}
    if (lane == 0u) {{ {finish} }}"""
BY_THREAD = """\
    let number = (group.x + group.y * groups.x) * {size}u + lane;
    if (number >= kept * chunks) {{ return; }}
    let j = number % kept;
    let piece = number / kept;
    let end = min((piece + 1u) * per, reduced);
    var total = identity();
{loop}
    {finish}"""
QUAD_LOOP = """\
    for (var q = piece * (per >> 2u) + lane; q < (end >> 2u); q = q + {size}u) {{
        total = merge(total, quad(j, q));
    }}"""
GROUP_LOOP = """\
    for (var r = piece * per + lane; r < end; r = r + {size}u) {{
        total = merge(total, element(j, r));
    }}"""
THREAD_LOOP = """\
    for (var r = piece * per; r < end; r = r + 1u) {
        total = merge(total, element(j, r));
    }"""


class ReduceKernel:
    """One or two programs of a reduction being written."""

    def __init__(self, request: KernelRequest, variant: Variant, workgroup: int) -> None:
        self.request, self.variant, self.workgroup = request, variant, workgroup
        self.mode, _, wide = variant.mode.partition("q")
        self.quads = bool(_ or wide)
        self.words = arrange(request.rank, request.rank, len(request.maps), request.params)

    def programs(self) -> tuple[Program, ...]:
        """The first pass and, where results are cut into pieces, the second."""
        by_group = self.mode[0] == "g"
        if self.mode[1] == "1":
            return (self._pass(by_group, first=True, last=True),)
        return (self._pass(by_group, first=True, last=False),
                self._pass(self.mode[2] == "g", first=False, last=True))  # fmt: skip

    def _pass(self, by_group: bool, *, first: bool, last: bool) -> Program:
        """One program: elements from the body or from scratch, results to scratch or out."""
        source = Source()
        if self.request.guarded:
            source.helper("left", "var<private> left: bool;")
        quads = quad_bindings(self.request, self.variant, outputs=False) if self.quads else None
        use_quads = first and by_group and bool(quads) and not heavy(self.request)
        body = Body(self.request, source, self.words, quads if use_quads and quads else frozenset(),
                    valid="true")  # fmt: skip
        element, partial = self._element(source, body, use_quads)
        lines = [partial.text()]
        lines += element if first else ["fn element(j: u32, r: u32) -> Partial { "
                                        "return scratch[r * p[1].y + j]; }"]  # fmt: skip
        lines += self._finish(source, partial) if last else []
        lines += self._main(by_group, use_quads, last)
        kind = f"reduce {'first' if first else 'last'} {'group' if by_group else 'thread'}"
        whole = first and last
        return self._assembled(
            source, lines, kind, 0 if whole else partial.size(), first=first, last=last,
            scratch=not whole, per_group=1 if by_group else self.workgroup, quads=body.quads,
        )  # fmt: skip

    def _assembled(
        self, source: Source, lines: list[str], kind: str, size: int, *, first: bool, last: bool,
        scratch: bool, per_group: int, quads: frozenset[int] = frozenset(),
    ) -> Program:  # fmt: skip
        """A program from its functions: declarations and helpers go first."""
        bindings, types = self._bindings(first, last, scratch, quads)
        parts = [f"// {self.request.label}", declarations(bindings, types, self.words),
                 source.preamble(), *lines]  # fmt: skip
        return Program("\n".join(parts) + "\n", bindings, self.words, (self.workgroup, 1, 1),
                       per_group, kind=kind, scratch=size)  # fmt: skip

    def _element(self, source: Source, body: Body, quads: bool) -> tuple[list[str], Partial]:
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
        arguments = "".join(f", v{n}: {storage.register(d)}" for n, d in fetched)
        inner = [*self._place(body), *statements, f"return {partial.lifted()};"]
        lines = [f"fn element(j: u32, r: u32{arguments}) -> Partial {{",
                 *(f"    {line}" for line in inner), "}"]  # fmt: skip
        if quads:
            lines += self._quad(body, fetched)
        return lines, partial

    def _quad(self, body: Body, fetched: list[tuple[int, DType]]) -> list[str]:
        """The function that merges four consecutive elements of one result."""
        lines = ["fn quad(j: u32, q: u32) -> Partial {",
                 "    let at = j * (p[1].z >> 2u) + q;"]  # fmt: skip
        lanes: dict[int, list[str]] = {}
        for number, dtype in fetched:
            binding, map_ = self.request.body[number].attrs
            offset = word(self.words.maps[map_])
            more, lanes[number] = storage.load_quad(
                body.array(binding), dtype, f"at + ({offset} >> 2u)", f"x{number}"
            )
            lines += [f"    {line}" for line in more]
        calls = [
            f"element(j, 4u * q + {lane}u{''.join(f', {lanes[n][lane]}' for n, _ in fetched)})"
            for lane in range(4)
        ]
        lines += [f"    return merge(merge({calls[0]}, {calls[1]}),",
                  f"                 merge({calls[2]}, {calls[3]}));", "}"]  # fmt: skip
        return lines

    def _place(self, body: Body) -> list[str]:
        """Coordinates and the linear index ``i`` of element r of result j."""
        flags, rank = self.request.reduced, self.request.rank
        simple = sum(1 for a, b in zip(flags, flags[1:], strict=False) if a != b) <= 1
        flat = any(spec.access is Access.FLAT for spec in self.request.maps)
        lines: list[str] = []
        if body.used_axes or (flat and not simple):
            lines += self._coordinates("r", True) + self._coordinates("j", False)
        if simple:
            lines.append("let i = j * p[1].z + r;" if flags[0] else "let i = r * p[1].y + j;")
            return lines
        term, factor = [], "1u"
        for k in range(rank):
            term.append(f"c{k} * {factor}")
            factor = f"{word(self.words.extents + k)}" if k == 0 else (
                f"{factor} * {word(self.words.extents + k)}")  # fmt: skip
        lines.append(f"let i = {' + '.join(term)};")
        return lines

    def _coordinates(self, name: str, reduced: bool) -> list[str]:
        axes = [k for k, flag in enumerate(self.request.reduced) if flag == reduced]
        lines, rest = [], name
        for k in axes:
            if k == axes[-1]:
                lines.append(f"let c{k} = {rest};")
            else:
                extent = word(self.words.extents + k)
                lines += [f"let c{k} = {rest} % {extent};", f"let d{k} = {rest} / {extent};"]
                rest = f"d{k}"
        return lines

    def _finish(self, source: Source, partial: Partial) -> list[str]:
        """The function that stores the results of one kept place."""
        request = self.request
        body = Body(request, source, self.words, prefix="e", results=partial.results(),
                    valid="true")  # fmt: skip
        first = len(request.body)
        statements = body.statements(request.epilogue, first)
        for store in request.stores:
            if store.value >= first:
                statements += body.store(store)
        places = []
        if body.used_axes:
            zeros = [f"let c{k} = 0u;" for k, flag in enumerate(request.reduced) if flag]
            places = [*self._coordinates("i", False), *zeros]
        inner = [*places, *statements]
        return ["fn finish(i: u32, t: Partial) {", *(f"    {line}" for line in inner), "}"]

    def _main(self, by_group: bool, quads: bool, last: bool) -> list[str]:
        size = self.workgroup
        lines = [f"var<workgroup> tree: array<Partial, {size}>;"] if by_group else []
        lines.append(HEAD.format(size=size))
        total = "tree[0]" if by_group else "total"
        finish = f"finish(j, {total});" if last else f"scratch[piece * kept + j] = {total};"
        loop = QUAD_LOOP if quads else GROUP_LOOP if by_group else THREAD_LOOP
        text = loop.format(size=size) if by_group else loop
        template = BY_GROUP if by_group else BY_THREAD
        lines.append(template.format(loop=text, finish=finish, half=size // 2, size=size))
        if self.request.guarded:
            lines.append("    if (left) { atomicOr(&status[p[0].z], 1u); }")
        return [*lines, "}"]

    def _bindings(
        self, first: bool, last: bool, scratch: bool, quads: frozenset[int]
    ) -> tuple[tuple[Binding, ...], dict[Binding, str]]:
        request, body_size = self.request, len(self.request.body)
        types: dict[Binding, str] = {}
        used = [i for part, here in ((request.body, first), (request.epilogue, last)) if here
                for i in part]  # fmt: skip
        loaded = {i.attrs[0] for i in used if i.op in {"load", "load_at"}}
        for k in sorted(loaded):
            types[Binding(Role.INPUT, k)] = storage.entries(request.inputs[k], k in quads)
        stored = {s.binding for s in request.stores
                  if (first and s.value < body_size) or (last and s.value >= body_size)}  # fmt: skip
        for k in sorted(stored):
            packed = storage.LAYOUTS[request.outputs[k]].packed > 1
            text = "atomic<u32>" if packed else storage.entries(request.outputs[k], False)
            types[Binding(Role.OUTPUT, k, writable=True)] = text
        if scratch:
            types[Binding(Role.SCRATCH, 0, writable=True)] = "Partial"
        if request.guarded and (first or last):
            types[Binding(Role.STATUS, 0, writable=True)] = "atomic<u32>"
        return tuple(types), types


def generate(request: KernelRequest, variant: Variant, workgroup: int) -> tuple[Program, ...]:
    """The programs of a reduction."""
    return ReduceKernel(request, variant, workgroup).programs()
