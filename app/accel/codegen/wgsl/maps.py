"""Elementwise kernels: every invocation computes quads of consecutive points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.compile_weight import HEAVIEST, allows_copies, operation_weight
from app.accel.codegen.elementary.trace import iterates
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.casts import cast
from app.accel.codegen.wgsl.emit import Source, arrange, domain_report, word
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.layout import Abilities
from app.accel.codegen.wgsl.program import Binding, Program, Role, Variant, declarations
from app.accel.codegen.wgsl.random_numbers import element, random
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import DEFINITIONS
from app.accel.ir.plan import Access, Instr, KernelRequest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.ir.plan import Dispatch

LIGHT = frozenset({"isnan", "isinf", "isfinite", "min", "max", "sign", "round"})
TILE = 16
LEAST_SHARED = 16384
"""Bytes of workgroup memory that every adapter has."""
_RANDOM = {"random_uniform", "random_normal"}


def quad_bindings(request: KernelRequest, variant: Variant, *, outputs: bool) -> frozenset[int]:
    """Bindings whose every access is flat and aligned; an epilogue reads element by element."""
    flat = {
        k
        for k, spec in enumerate(request.maps)
        if spec.access is Access.FLAT and k not in variant.loose
    } | variant.rows
    good: dict[int, bool] = {}
    uses: Iterable[tuple[int, bool]]
    if outputs:
        uses = ((s.binding, s.map in flat) for s in request.stores)
    else:
        uses = (
            (i.attrs[0], part is request.body and i.op == "load" and i.attrs[1] in flat)
            for part in (request.body, request.epilogue)
            for i in part
            if i.op in {"load", "load_at"}
        )
    for binding, fits in uses:
        good[binding] = good.get(binding, True) and fits
    return frozenset(b for b, fits in good.items() if fits)


def check_types(request: KernelRequest, abilities: Abilities) -> None:
    """Raise Unsupported for a type the adapter lacks."""
    for dtype in (*request.types, *(r.dtype for r in request.reductions)):
        abilities.check(dtype)


def compiles_slowly(request: KernelRequest) -> bool:
    """Whether copies of the body would compile slowly and gain nothing.

    That is so of doubles' functions, of complex ones, and of those with a loop inside: six
    remainders in eight copies, 48 loops, take Mesa's compiler a minute, and six of them a fifth of
    a second.
    """
    return any(map(_compiles_slowly, request.body))


def _compiles_slowly(instr: Instr) -> bool:
    dtype = instr.dtype
    if dtype.is_complex:
        return operation_weight(instr.op, is_complex=True) > HEAVIEST
    known = instr.op in DEFINITIONS and instr.op not in LIGHT and dtype.is_float
    return known and (dtype in layout.WIDE or iterates(instr.op))


def heavy(request: KernelRequest) -> bool:
    """Whether points are computed one by one: no output is packed, and copies gain nothing."""
    packed = any(layout.LAYOUTS[d].packed > 1 for d in request.outputs)
    return not packed and compiles_slowly(request)


class MapKernel:
    """One elementwise kernel being written."""

    def __init__(
        self, request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
    ) -> None:
        self.request, self.variant, self.workgroup = request, variant, workgroup
        self.source = Source(abilities)
        self.slow = compiles_slowly(request)
        self.words = arrange(request.rank, request.rank, len(request.maps), request.params)
        self.quads_in = quad_bindings(request, variant, outputs=False)
        self.quads_out = quad_bindings(request, variant, outputs=True)
        self.lanes = 4 if self.quads_in or self.quads_out or self._random_quads() else 1
        self.tiled = variant.mode.startswith("tile")
        self.turned = self._tiled_loads()
        if self.tiled or (heavy(request) and not self._random_quads()):
            self.lanes, self.quads_in, self.quads_out = 1, frozenset(), frozenset()
        self.body = Body(request, self.source, self.words, self.quads_in)
        self.body.arrays.update({k: f"out{j}" for k, j in variant.shared})
        if request.guarded:
            self.source.helper("left", "var<private> left: bool;")
        self.fetched: list[tuple[int, DType]] = []
        # Whether main finds the coordinates: once for a quad, or from the place of a tile.
        self.outside = self.tiled or (self.lanes == 4 and variant.mode == "even")

    def _aligned_random(self, number: int) -> bool:
        """Random numbers of consecutive elements: a quad shares its blocks."""
        instr = self.request.body[number]
        if instr.op not in _RANDOM:
            return False
        place = self.request.body[instr.args[2]]
        plain = all(self.request.body[a].op == "param" for a in instr.args[:2])
        if not plain or place.op != "position" or place.attrs[0] in self.variant.loose:
            return False
        return self.request.maps[place.attrs[0]].access is Access.FLAT

    def _tiled_loads(self) -> dict[int, int]:
        """Loads that go through workgroup memory, by instruction: the number of their tile."""
        maps = {int(k) for k in self.variant.mode.partition(":")[2].split(",") if k}
        found = [
            k for k, i in enumerate(self.request.body) if i.op == "load" and i.attrs[1] in maps
        ]
        return {number: tile for tile, number in enumerate(found)}

    def _random_quads(self) -> bool:
        return any(self._aligned_random(k) for k in range(len(self.request.body)))

    def program(self) -> Program:
        """The finished text."""
        self._fetches()
        point = self._point()
        main = self._main()
        bindings, types = self._bindings()
        parts = [
            f"// {self.request.label}",
            declarations(bindings, types, self.words),
            self.source.preamble(),
            *point,
            *main,
        ]
        kind = f"tile{tile_axis(self.variant.mode)}" if self.tiled else "map"
        return Program(
            "\n".join(parts) + "\n",
            bindings,
            self.words,
            (self.workgroup, 1, 1),
            self.workgroup * self.lanes * self._unroll(),
            kind=kind,
        )

    def _unroll(self) -> int:
        largest = max((d.size for d in (*self.request.inputs, *self.request.outputs)), default=4)
        light = largest <= 4 and not self.slow
        return 2 if light and allows_copies(self.request.body, 2 * self.lanes) else 1

    def _fetches(self) -> None:
        """Values that main fetches by quads and hands to the point function."""
        if self.tiled:
            self.fetched = [(k, self.request.body[k].dtype) for k in self.turned]
            self.body.given.update({k: f"v{k}" for k in self.turned})
        if self.lanes == 1:
            return
        for number, instr in enumerate(self.request.body):
            quad = instr.op == "load" and instr.attrs[0] in self.quads_in
            if quad or self._aligned_random(number):
                self.body.given[number] = f"v{number}"
                self.fetched.append((number, instr.dtype))

    def _quad_stores(self) -> list[tuple[int, int]]:
        """(store number, value) of the stores that main makes by quads."""
        return [
            (k, s.value)
            for k, s in enumerate(self.request.stores)
            if self.lanes == 4 and s.binding in self.quads_out
        ]

    def _point(self) -> list[str]:
        """The function of one point."""
        request, body = self.request, self.body
        statements = body.statements(request.body)
        returned = self._quad_stores()
        direct = [s for k, s in enumerate(request.stores) if k not in {r for r, _ in returned}]
        stores = [line for s in direct for line in body.store(s)]
        values = [
            cast(
                self.source,
                body.name(v),
                body.dtypes[v],
                request.outputs[request.stores[k].binding],
            )
            for k, v in returned
        ]
        arguments = ", ".join(f"v{n}: {layout.register(d)}" for n, d in self.fetched)
        axes = "".join(f", c{k}: u32" for k in range(request.rank)) if self.outside else ""
        head = f"fn point(i: u32{axes}{', ' if arguments else ''}{arguments})"
        lines = []
        if returned:
            fields = ", ".join(
                f"r{k}: {layout.register(request.outputs[request.stores[k].binding])}"
                for k, _ in returned
            )
            lines.append(f"struct Point {{ {fields} }}")
            head += " -> Point"
        guarded = [f"if ({body.valid}) {{", *(f"    {s}" for s in stores), "}"] if stores else []
        ends = [f"return Point({', '.join(values)});"] if returned else []
        places = [] if self.outside else body.coordinates()
        inner = [*places, *statements, *guarded, *ends]
        return [*lines, head + " {", *(f"    {line}" for line in inner), "}"]

    def _quad(self) -> list[str]:
        """Statements that fetch, compute and store quad q."""
        lines: list[str] = []
        lanes: dict[int, list[str]] = {}
        if self.outside:
            lines += self.body.coordinates("(4u * q)", always=True)
        for number, dtype in self.fetched:
            instr = self.request.body[number]
            if instr.op == "load":
                more, lanes[number] = layout.load_quad(
                    self.body.array(instr.attrs[0]),
                    dtype,
                    self._place_of_quad(instr.attrs[1]),
                    f"x{number}",
                )
                lines += more
            else:
                lines += self._random_quad(number)
                lanes[number] = [f"x{number}.{c}" for c in "xyzw"]
        lines += self._lane_loop(lanes) if self.slow else self._four_lanes(lanes)
        for k, _ in self._quad_stores():
            store = self.request.stores[k]
            lines += layout.store_quad(
                f"out{store.binding}",
                self.request.outputs[store.binding],
                self._place_of_quad(store.map),
                [f"y[{lane}].r{k}" if self.slow else f"y{lane}.r{k}" for lane in range(4)],
            )
        return lines

    def _four_lanes(self, lanes: dict[int, list[str]]) -> list[str]:
        """Statements that compute the points of a quad, written out."""
        lines, bind = [], "let y{} = " if self._quad_stores() else ""
        for lane in range(4):
            values = [lanes[n][lane] for n, _ in self.fetched]
            lines.append(f"{bind.format(lane)}point({self._arguments(f'{lane}u', values)});")
        return lines

    def _lane_loop(self, lanes: dict[int, list[str]]) -> list[str]:
        """The same with one copy of the body."""
        lines = [
            f"var a{n} = array<{layout.register(d)}, 4>({', '.join(lanes[n])});"
            for n, d in self.fetched
        ]
        lines += ["var y: array<Point, 4>;"] if self._quad_stores() else []
        call = f"point({self._arguments('lane4', [f'a{n}[lane4]' for n, _ in self.fetched])});"
        bind = "y[lane4] = " if self._quad_stores() else ""
        return [*lines, f"for (var lane4 = 0u; lane4 < 4u; lane4++) {{ {bind}{call} }}"]

    def _arguments(self, lane: str, values: list[str]) -> str:
        axes = [f"c{k}" for k in range(1, self.request.rank)]
        place = [f"c0 + {lane}", *axes] if self.outside else []
        return ", ".join([f"4u * q + {lane}", *place, *values])

    def _place_of_quad(self, number: int) -> str:
        """Where a map has the quad of four points: in order, or on a row."""
        if self.request.maps[number].access is Access.FLAT:
            return f"q + ({word(self.words.maps[number])} >> 2u)"
        return f"({self.body.index(number)}) >> 2u"

    def _random_quad(self, number: int) -> list[str]:
        instr = self.request.body[number]
        call = random(self.source, instr.op, instr.dtype, quad=True)
        key, offset, place = (self.request.body[a] for a in instr.args)
        body = Body(self.request, self.source, self.words)
        texts = [body.param(key.attrs[0]), body.param(offset.attrs[0])]
        start = word(self.words.maps[place.attrs[0]])
        at = element(self.source, texts[1], f"4u * q + {start}")
        return [f"let x{number} = {call}({texts[0]}, {at});"]

    def _tile_main(self, axis: int) -> list[str]:
        """Tiles of 32 by 32 points on axis 0 and the one along which an input is contiguous."""
        rank, extents = self.request.rank, self.words.extents
        across, step = f"c0 < {word(extents)}", self.workgroup // 32
        lines = [
            *(
                f"var<workgroup> tile{tile}: array<{self._workgroup_type(k)}, {32 * 33}>;"
                for k, tile in self.turned.items()
            ),
            f"@compute @workgroup_size({self.workgroup})",
            "fn main(@builtin(workgroup_id) group: vec3<u32>, "
            "@builtin(num_workgroups) groups: vec3<u32>,",
            "        @builtin(local_invocation_index) lane: u32) {",
            "    set_zero(p[0].x);",
            "    var rest = group.x + group.y * groups.x;",
            f"    let n0 = ({word(extents)} + 31u) / 32u;",
            f"    let n{axis} = ({word(extents + axis)} + 31u) / 32u;",
            "    let here = (rest % n0) * 32u; let x = lane % 32u; let y = lane / 32u;",
            "    rest = rest / n0;",
            f"    let there = (rest % n{axis}) * 32u;",
            f"    rest = rest / n{axis};",
        ]
        for k in (k for k in range(1, rank) if k != axis):
            extent = word(extents + k)
            lines += [f"    let c{k} = rest % {extent};", f"    rest = rest / {extent};"]
        lines.append("    if (rest > 0u) { return; }")
        if self.turned:
            fetched = [
                (
                    f"tile{tile}",
                    f"{self._workgroup_type(k)}({self.body.load(self.request.body[k], [])})",
                )
                for k, tile in self.turned.items()
            ]
            for k in range(32 // step):
                lines += [
                    f"    {{ let c0 = here + y + {k * step}u; let c{axis} = there + x;",
                    f"    if ({across} && c{axis} < {word(extents + axis)}) {{",
                    *(
                        f"        {tile}[(y + {k * step}u) * 33u + x] = {value};"
                        for tile, value in fetched
                    ),
                    "    } }",
                ]
            lines.append("    workgroupBarrier();")
        arguments = ", ".join([self._linear(), *(f"c{k}" for k in range(rank))])
        lines.append("    let c0 = here + x;")
        for k in range(32 // step):
            values = "".join(
                f", {layout.register(self.request.body[number].dtype)}"
                f"(tile{tile}[x * 33u + y + {k * step}u])"
                for number, tile in self.turned.items()
            )
            lines += [
                f"    {{ let c{axis} = there + y + {k * step}u;",
                f"    if ({across} && c{axis} < {word(extents + axis)}) "
                f"{{ point({arguments}{values}); }} }}",
            ]
        return lines

    def _workgroup_type(self, number: int) -> str:
        """The type in which a value waits in workgroup memory: NVIDIA's has no logical values."""
        dtype = self.request.body[number].dtype
        return "u32" if dtype is DType.BOOL else layout.register(dtype)

    def _linear(self) -> str:
        """The linear index of a point from its coordinates."""
        index, factor = ["c0"], word(self.words.extents)
        for k in range(1, self.request.rank):
            index.append(f"c{k} * {factor}")
            factor = f"{factor} * {word(self.words.extents + k)}"
        return " + ".join(index)

    def _main(self) -> list[str]:
        if self.tiled:
            return self._with_end(self._tile_main(tile_axis(self.variant.mode)))
        unroll, size = self._unroll(), self.workgroup
        lines = [
            f"@compute @workgroup_size({size})",
            "fn main(@builtin(workgroup_id) group: vec3<u32>, "
            "@builtin(num_workgroups) groups: vec3<u32>,",
            "        @builtin(local_invocation_index) lane: u32) {",
            "    set_zero(p[0].x);",
            f"    let first = (group.x + group.y * groups.x) * {size * unroll}u + lane;",
        ]
        last = "(p[0].y + 3u) / 4u" if self.lanes == 4 else "p[0].y"
        name = "q" if self.lanes == 4 else "i"
        inner = self._quad() if self.lanes == 4 else ["point(i);"]
        for k in range(unroll):
            lines += [
                f"    let n{k} = first + {k * size}u;",
                f"    if (n{k} < {last}) {{",
                f"        let {name} = n{k};",
                *(f"        {line}" for line in inner),
                "    }",
            ]
        return self._with_end(lines)

    def _with_end(self, lines: list[str]) -> list[str]:
        lines += domain_report(self.request.guarded)
        lines.append("}")
        return lines

    def _bindings(self) -> tuple[tuple[Binding, ...], dict[Binding, str]]:
        shared = dict(self.variant.shared)
        types: dict[Binding, str] = {}
        for k, dtype in enumerate(self.request.inputs):
            if k not in shared:
                types[Binding(Role.INPUT, k)] = layout.entries(dtype, k in self.quads_in)
        for k, dtype in enumerate(self.request.outputs):
            quads = k in self.quads_out and self.lanes == 4
            text = layout.entries(dtype, quads)
            if not quads and layout.LAYOUTS[dtype].packed > 1:
                text = "atomic<u32>"
            types[Binding(Role.OUTPUT, k, writable=True)] = text
        if self.request.guarded:
            types[Binding(Role.STATUS, 0, writable=True)] = "atomic<u32>"
        return tuple(types), types


def tile_axis(mode: str) -> int:
    """The second axis of the tiles in which a box is walked."""
    return int(mode.removeprefix("tile").partition(":")[0])


def mode_of(request: KernelRequest, dispatch: Dispatch, *, cpu: bool) -> str:
    """How the box is walked: in tiles where inputs are contiguous along another axis.

    Except on processors, where barriers are dear, these come through workgroup memory.
    """
    if request.rank < 2:
        return ""
    extents = dispatch.extents
    loads = sorted({i.attrs[1] for i in request.body if i.op == "load"})
    turned: dict[int, list[int]] = {}
    for number in loads:
        if request.maps[number].access is Access.STRIDED and extents[0] >= TILE:
            strides = dispatch.maps[number].strides
            if abs(strides[0]) > 1:
                along = (
                    k for k in range(1, request.rank) if abs(strides[k]) == 1 and extents[k] >= TILE
                )
                turned.setdefault(next(along, 0), []).append(number)
    turned.pop(0, None)
    if not turned and _walks_parts(request, dispatch):
        return "tile1:"
    if not turned:
        return "even" if extents[0] % 4 == 0 else ""
    axis, maps = next(iter(turned.items()))
    return f"tile{axis}:{'' if cpu else ','.join(map(str, _fitting(request, maps)))}"


def _walks_parts(request: KernelRequest, dispatch: Dispatch) -> bool:
    """Whether points read several neighbours in parts of arrays whose columns are no whole quads.

    Tiles find the coordinates of four points by one division, and their rows are read while near.
    """
    extents = dispatch.extents
    if extents[0] % 4 == 0 or min(extents[:2]) < TILE:
        return False
    parts = [
        i.attrs[1]
        for i in request.body
        if i.op == "load" and request.maps[i.attrs[1]].access is Access.STRIDED
    ]
    return len(parts) > 1 and all(dispatch.maps[k].strides[0] == 1 for k in parts)


def rows_of(request: KernelRequest, dispatch: Dispatch) -> frozenset[int]:
    """STRIDED maps whose neighbours on axis 0 are neighbours in memory, in whole aligned quads."""
    return frozenset(
        k
        for k, (spec, values) in enumerate(zip(request.maps, dispatch.maps, strict=True))
        if spec.access is Access.STRIDED
        and values.strides[0] == 1
        and not values.offset & 3
        and not any(stride & 3 for stride in values.strides[1 : request.rank])
        and not (spec.broadcast and spec.broadcast[0])
    )


def _fitting(request: KernelRequest, maps: list[int]) -> list[int]:
    """Those of some maps whose tiles fit the workgroup memory of any adapter."""
    sizes = {
        k: sum(max(4, i.dtype.size) for i in request.body if i.op == "load" and i.attrs[1] == k)
        for k in maps
    }
    most = LEAST_SHARED // (32 * 33)
    return [k for n, k in enumerate(maps) if sum(sizes[j] for j in maps[: n + 1]) <= most]


def generate(
    request: KernelRequest, variant: Variant, workgroup: int, *, abilities: Abilities
) -> Program:
    """The program of an elementwise request."""
    return MapKernel(request, variant, workgroup, abilities=abilities).program()
