"""Running sums, products and extremes: pieces are reduced, their totals scanned, then each piece.

A workgroup walks along its piece in tiles; an invocation has a run of elements of each tile. Where
there are many lines of neighbours, a workgroup has a line, or as many as fit beside each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.compile_weight import allows_copies
from app.accel.codegen.wgsl.emit import Source, domain_report
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.maps import heavy
from app.accel.codegen.wgsl.program import Program, Variant
from app.accel.codegen.wgsl.reduce import HEAD, ReduceKernel, linear_index
from app.accel.codegen.wgsl.shader_files import wgsl_template

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.accumulators import Partial
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.plan import KernelRequest

STRIPS = wgsl_template("scan/strips")
# Four elements at a time are on their way at once.
SEVERAL = wgsl_template("scan/several")
TOTALS = wgsl_template("scan/totals")
PIECE = wgsl_template("scan/piece")
# Lines that are not there have no elements, but their lanes take part in every barrier.
LINES = wgsl_template("scan/lines")
TILES = wgsl_template("scan/tiles")
PLACES = """\
// Places in workgroup memory: every 33rd is left out, so that neighbours lie in different banks.
fn pad(i: u32) -> u32 { return i + (i >> 5u); }"""


def run_length(size: int, workgroup: int, room: int) -> int:
    """Elements of some bytes that each lane of a workgroup scans of a tile; `room` as in
    `Abilities.workgroup_bytes`."""
    own = 8 if size <= 8 else 2
    if not room and size <= 4:
        own = 16  # barriers of processors are dear
    while room and own > 1 and size * workgroup * (own + own // 32 + 2) > room:
        own //= 2
    return own


def tile_walk(team: int, own: int, before: str, *, slowly: bool) -> str:
    """The walk along a line or a piece of one: tiles come and go by neighbouring lanes.

    They are scanned in runs of `own` elements for each of the `team` lanes of a line. What is long
    to compile is written once, in a loop.
    """
    load, hold, local, back, store = [], [], [], [], []
    for k in range(own):
        at, place = f"tile + {k * team}u + slot", f"held[pad(base + {k * team}u + slot)]"
        load.append(f"        var x{k} = element(line, min({at}, final_));")
        hold += [
            f"        if ({at} >= end) {{ x{k} = identity(); }}",
            f"        {place} = x{k};",
        ]
        value = f"held[pad(mine + {k}u)]"
        value = f"merge(o{k - 1}, {value})" if k else value
        local.append(f"        let o{k} = {value};")
        back.append(f"        held[pad(mine + {k}u)] = merge(left_of, o{k});")
        store.append(f"        if ({at} < end) {{ finish(place_of(j, {at}), {place}); }}")
    if slowly:
        head = f"        for (var k = slot; k < {own * team}u; k = k + {team}u) {{"
        load, store = (
            [head, *(line.replace("0u + slot", "k") for line in lines), "        }"]
            for lines in ([load[0], *hold[:2]], store[:1])
        )
        hold = []
    texts = {"load": [*load, *hold], "local": local, "back": back, "store": store}
    return TILES.format(
        team=team,
        tile=own * team,
        own=own,
        top=own - 1,
        last=team - 1,
        before=before,
        **{name: "\n".join(lines) for name, lines in texts.items()},
    )


def held_elements(workgroup: int, own: int) -> list[str]:
    """What a walk in tiles keeps in workgroup memory."""
    places = own * workgroup
    return [
        f"var<workgroup> tree: array<Partial, {workgroup}>;",
        f"var<workgroup> held: array<Partial, {places + places // 32}>;",
        PLACES,
    ]


def strip_walk(request: KernelRequest, workgroup: int, before: str, *, last: bool) -> str:
    """The walk of one invocation along a line or a piece of one."""
    each = "finish(place_of(j, {at}), total);" if last else ""
    merged = [
        f"        total = merge(total, {name}); {each.format(at=f'r + {k}u')}".rstrip()
        for k, name in enumerate("abcd")
    ]
    light = not heavy(request) and allows_copies(request.body, 5)
    return STRIPS.format(
        size=workgroup,
        before=before,
        several=SEVERAL.format(merged="\n".join(merged)) if light else "",
        each=each.format(at="r"),
        after="" if last else "scratch[piece * kept + j] = total;",
    )


class ScanKernel(ReduceKernel):
    """The programs of a scan being written."""

    def __init__(
        self, request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
    ) -> None:
        super().__init__(request, variant, workgroup, abilities=abilities)
        self.quads = False
        self.lanes = self.team or workgroup
        self.reverse = bool(dict(request.attrs).get("reverse"))

    def programs(self) -> tuple[Program, ...]:
        """One program, or three where lines are cut into pieces."""
        if self.mode == "lines":
            return (self._scan("strips", scratch=False),)
        if self.mode in {"whole", "rows"}:
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

    def _coordinates_of_element(self, body: Body) -> list[str]:
        turn = "reduced() - 1u - r0" if self.reverse else "r0"
        return [f"let r = {turn};", *super()._coordinates_of_element(body)]

    def element_lines(
        self, source: Source, body: Body, quads: bool, by_group: bool
    ) -> tuple[list[str], Partial]:
        """The element, where the line may be walked backwards."""
        source.helper("reduced", "fn reduced() -> u32 { return p[1].w; }")
        lines, partial = super().element_lines(source, body, quads, by_group)
        lines[0] = lines[0].replace("r: u32", "r0: u32")
        place = Body(self.request, source, self.words)
        inner = [*self._coordinates_of_element(place), linear_index(self.request, self.words)]
        lines += [
            "fn place_of(j: u32, r0: u32) -> u32 {",
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
            own = run_length(partial.size(), self.workgroup, self.abilities.workgroup_bytes)
            lines += held_elements(self.workgroup, own)
            head = (LINES if self.team else PIECE).format(
                lines=self.workgroup // self.lanes, team=self.lanes
            )
            text = f"{head}\n{tile_walk(self.lanes, own, before, slowly=heavy(self.request))}"
        else:
            text = strip_walk(self.request, self.workgroup, before, last=last)
        lines += [HEAD.format(size=self.workgroup), text]
        lines += domain_report(self.request.guarded)
        return self._assembled_program(
            source,
            [*lines, "}"],
            self._bindings(True, last, scratch, frozenset()),
            kind=f"scan {kind}",
            per_group=self.workgroup // self.lanes if kind == "tiles" else self.workgroup,
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
        return self._assembled_program(
            source,
            lines,
            self._bindings(False, False, True, frozenset()),
            kind="scan totals",
            per_group=1,
            scratch=partial.size(),
        )


def functions(request: KernelRequest, source: Source, workgroup: int) -> tuple[list[str], Partial]:
    """The functions of a walk: an element, its place in the box, and what is made of a running
    value there."""
    kernel = ScanKernel(request, Variant(mode="whole"), workgroup, abilities=source.abilities)
    body = Body(request, source, kernel.words, valid="true")
    element, partial = kernel.element_lines(source, body, quads=False, by_group=True)
    return [partial.text(), *element, *kernel.finish_lines(source, partial)], partial


def generate(
    request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
) -> tuple[Program, ...]:
    """The programs of a scan."""
    return ScanKernel(request, variant, workgroup, abilities=abilities).programs()
