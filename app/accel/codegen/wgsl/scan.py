"""Running sums, products and extremes: pieces are reduced, their totals scanned, then each piece.

A workgroup walks along its piece in tiles; an invocation has a run of elements of each tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl.emit import Source, domain_report
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.maps import heavy
from app.accel.codegen.wgsl.program import Program
from app.accel.codegen.wgsl.reduce import HEAD, ReduceKernel

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.accumulators import Partial
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Variant
    from app.accel.ir.plan import KernelRequest

STRIPS = """\
    let number = (group.x + group.y * groups.x) * {size}u + lane;
    if (number >= kept * chunks) {{ return; }}
    let j = number % kept;
    let piece = number / kept;
    let end = min((piece + 1u) * per, reduced);
    var total = {before};
    for (var r = piece * per; r < end; r = r + 1u) {{
        total = merge(total, element(j, r));
        {each}
    }}
    {after}"""
TOTALS = """\
    let j = group.x + group.y * groups.x;
    if (j >= kept) {{ return; }}
    let share = (chunks + {last}u) / {size}u;
    let first = lane * share;
    let end = min(first + share, chunks);
    var total = identity();
    for (var k = first; k < end; k = k + 1u) {{ total = merge(total, scratch[k * kept + j]); }}
    tree[lane] = total;
    workgroupBarrier();
    for (var s = 1u; s < {size}u; s = s << 1u) {{
        var sum = tree[lane];
        if (lane >= s) {{ sum = merge(tree[lane - s], sum); }}
        workgroupBarrier();
        tree[lane] = sum;
        workgroupBarrier();
    }}
    total = identity();
    if (lane > 0u) {{ total = tree[lane - 1u]; }}
    for (var k = first; k < end; k = k + 1u) {{
        let next = merge(total, scratch[k * kept + j]);
        scratch[k * kept + j] = total;
        total = next;
    }}"""
TILES = """\
    let number = group.x + group.y * groups.x;
    if (number >= kept * chunks) {{ return; }}
    let j = number / chunks;
    let piece = number % chunks;
    let end = min((piece + 1u) * per, reduced);
    var before = {before};
    for (var tile = piece * per; tile < end; tile = tile + {tile}u) {{
{load}
        workgroupBarrier();
        let mine = lane * {own}u;
{local}
        tree[lane] = o{top};
        workgroupBarrier();
        for (var s = 1u; s < {size}u; s = s << 1u) {{
            var sum = tree[lane];
            if (lane >= s) {{ sum = merge(tree[lane - s], sum); }}
            workgroupBarrier();
            tree[lane] = sum;
            workgroupBarrier();
        }}
        var left_of = before;
        if (lane > 0u) {{ left_of = merge(before, tree[lane - 1u]); }}
        before = merge(before, tree[{last}u]);
{back}
        workgroupBarrier();
{store}
        workgroupBarrier();
    }}"""
PLACES = """\
// Places in workgroup memory: every 33rd is left out, so that neighbours lie in different banks.
fn pad(i: u32) -> u32 { return i + (i >> 5u); }"""


def _tiles(size: int, own: int, before: str) -> str:
    """The walk along a piece: tiles come and go by neighbouring lanes.

    They are scanned in runs of `own` elements for each of `size` lanes.
    """
    load, local, back, store = [], [], [], []
    for k in range(own):
        at = f"tile + {k * size}u + lane"
        place = f"held[pad({k * size}u + lane)]"
        load += [
            f"        if ({at} < end) {{ {place} = element(j, {at}); }}",
            f"        else {{ {place} = identity(); }}",
        ]
        value = f"held[pad(mine + {k}u)]"
        value = f"merge(o{k - 1}, {value})" if k else value
        local.append(f"        let o{k} = {value};")
        back.append(f"        held[pad(mine + {k}u)] = merge(left_of, o{k});")
        store.append(f"        if ({at} < end) {{ finish(place(j, {at}), {place}); }}")
    texts = {"load": load, "local": local, "back": back, "store": store}
    return TILES.format(
        size=size,
        tile=own * size,
        own=own,
        top=own - 1,
        last=size - 1,
        before=before,
        **{name: "\n".join(lines) for name, lines in texts.items()},
    )


class ScanKernel(ReduceKernel):
    """The programs of a scan being written."""

    def __init__(
        self, request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
    ) -> None:
        super().__init__(request, variant, workgroup, abilities=abilities)
        self.quads = False
        self.reverse = bool(dict(request.attrs).get("reverse"))

    def programs(self) -> tuple[Program, ...]:
        """One program, or three where lines are cut into pieces."""
        if self.mode == "lines":
            return (self._scan("strips", scratch=False),)
        if self.mode == "whole":
            return (self._scan("tiles", scratch=False),)
        if self.mode == "strips":
            return (
                self._scan("sums", scratch=True),
                self._scan_totals(),
                self._scan("strips", scratch=True),
            )
        return (
            self._pass(True, first=True, last=False),
            self._scan_totals(),
            self._scan("tiles", scratch=True),
        )

    def _place(self, body: Body) -> list[str]:
        lines = super()._place(body)
        turn = "reduced() - 1u - r0" if self.reverse else "r0"
        return [f"let r = {turn};", *lines]

    def element_lines(
        self, source: Source, body: Body, quads: bool, by_group: bool
    ) -> tuple[list[str], Partial]:
        """The element, where the line may be walked backwards."""
        source.helper("reduced", "fn reduced() -> u32 { return p[1].w; }")
        lines, partial = super().element_lines(source, body, quads, by_group)
        lines[0] = lines[0].replace("r: u32", "r0: u32")
        place = Body(self.request, source, self.words)
        inner = self._place(place)
        lines += [
            "fn place(j: u32, r0: u32) -> u32 {",
            *(f"    {line}" for line in inner),
            "    return i;",
            "}",
        ]
        return lines, partial

    def finish_lines(self, source: Source, partial: Partial) -> list[str]:
        """The function that stores one running value; ``i`` is its place in the box."""
        body = Body(
            self.request, source, self.words, prefix="e", results=partial.results(), valid="true"
        )
        first = len(self.request.body)
        statements = body.statements(self.request.epilogue, first)
        for store in self.request.stores:
            statements += body.store(store)
        inner = [*body.coordinates(), *statements]
        return ["fn finish(i: u32, t: Partial) {", *(f"    {line}" for line in inner), "}"]

    def _scan(self, kind: str, *, scratch: bool) -> Program:
        """A walk over the elements: in tiles, or one line (or a piece of it) per invocation."""
        source = Source(self.abilities)
        if self.request.guarded:
            source.helper("left", "var<private> left: bool;")
        body = Body(self.request, source, self.words, valid="true")
        element, partial = self.element_lines(source, body, False, True)
        last = kind != "sums"
        lines = [partial.text(), *element, *(self.finish_lines(source, partial) if last else [])]
        before = "scratch[piece * kept + j]" if scratch and last else "identity()"
        if kind == "tiles":
            own = 16 if partial.size() <= 4 else 8 if partial.size() <= 8 else 2
            own = 2 if heavy(self.request) else own
            places = own * self.workgroup
            lines += [
                f"var<workgroup> tree: array<Partial, {self.workgroup}>;",
                f"var<workgroup> held: array<Partial, {places + places // 32}>;",
                PLACES,
            ]
            text = _tiles(self.workgroup, own, before)
        else:
            text = STRIPS.format(
                size=self.workgroup,
                before=before,
                each="finish(place(j, r), total);" if last else "",
                after="" if last else "scratch[piece * kept + j] = total;",
            )
        lines += [HEAD.format(size=self.workgroup), text]
        lines += domain_report(self.request.guarded)
        return self._assembled(
            source,
            [*lines, "}"],
            self._bindings(True, last, scratch, frozenset()),
            kind=f"scan {kind}",
            per_group=1 if kind == "tiles" else self.workgroup,
            scratch=partial.size() if scratch else 0,
        )

    def _scan_totals(self) -> Program:
        source = Source(self.abilities)
        body = Body(self.request, source, self.words, valid="true")
        _, partial = self.element_lines(source, body, False, True)
        size = self.workgroup
        lines = [
            partial.text(),
            f"var<workgroup> tree: array<Partial, {size}>;",
            HEAD.format(size=size),
            TOTALS.format(size=size, last=size - 1),
            "}",
        ]
        return self._assembled(
            source,
            lines,
            self._bindings(False, False, True, frozenset()),
            kind="scan totals",
            per_group=1,
            scratch=partial.size(),
        )


def generate(
    request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
) -> tuple[Program, ...]:
    """The programs of a scan."""
    return ScanKernel(request, variant, workgroup, abilities=abilities).programs()
