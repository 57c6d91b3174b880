"""Matrix products: tiles in workgroup memory, sums in named registers, everything unrolled.

An invocation has TM x TN results: quads of rows, BM/(TM/4) apart, by quads of columns. While a
tile is multiplied, the next one is already on its way from memory into registers. Where few tiles
have long sums, these are cut into pieces, which a second program adds up in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.emit import Source, arrange, domain_report
from app.accel.codegen.wgsl.expressions import Body
from app.accel.codegen.wgsl.matmul_skinny import SkinnyProduct
from app.accel.codegen.wgsl.program import Binding, Program, Role, Variant, declarations
from app.accel.codegen.wgsl.shader_files import wgsl_text
from app.accel.codegen.wgsl.tiles import SPLIT, TILES, is_symmetric
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.tiles import Tile
    from app.accel.ir.plan import KernelRequest

PAD = 1
"""Quads added to the rows of tiles in workgroup memory, so that columns lie in different banks."""
MAIN = wgsl_text("matmul/main")


class MatmulKernel:
    """One matrix product being written.

    Attributes:
        exact: whether the extents are whole tiles, so that nothing need be checked.
        split: whether sums are cut into pieces, each program's length and their number being the
            words after the status slot.
    """

    def __init__(self, request: KernelRequest, variant: Variant, *, abilities: Abilities) -> None:
        self.request, self.mode = request, variant.mode.removeprefix(SPLIT)
        self.split = variant.mode != self.mode
        self.dtype = request.reductions[0].dtype
        if not self.dtype.is_float:
            raise Unsupported(f"matrix product of {self.dtype.label} ({self.dtype.value})")
        self.t = layout.register(self.dtype)
        options = dict(request.attrs)
        self.turned = bool(options.get("transpose_a")), bool(options.get("transpose_b"))
        self.symmetric = is_symmetric(request)
        self.source = Source(abilities)
        if request.guarded:
            self.source.helper("left", "var<private> left: bool;")
        self.exact = False
        self.words = arrange(3, request.rank, len(request.maps), request.params)

    def program(self) -> Program:
        """The finished text; of split sums, that of the pieces."""
        finish, reads = self._function_of_pieces() if self.split else self._finish(), self._reads()
        mode = self.mode.removesuffix("x")
        self.exact = mode != self.mode
        tile = TILES[mode]
        if "_" in mode:
            thin = SkinnyProduct(mode, self.t)
            lines, size = self._skinny_lines(thin), thin.size
        else:
            lines, size = self._blocked_lines(tile), tile.threads
        bindings, types = self._bindings()
        parts = [
            f"// {self.request.label}",
            declarations(bindings, types, self.words),
            self.source.preamble(),
            *reads,
            *finish,
            *lines,
        ]
        per = tile.rows * tile.columns
        return Program(
            "\n".join(parts) + "\n",
            bindings,
            self.words,
            (size, 1, 1),
            per,
            kind=f"matmul {mode}",
            scratch=self._scratch(),
        )

    def sums(self) -> Program:
        """The pieces of split sums added up, and the epilogue."""
        finish = self._finish()
        bindings, types = self._bindings()
        lines = [
            MAIN.replace("{size}", "256"),
            "    let at = (group.x + group.y * groups.x) * 256u + lane;",
            "    let count = p[2].x * p[2].y;",
            "    if (at < count) {",
            f"        let kept = {self._place_of('at')};",
            "        var sum = scratch[kept];",
            "        for (var k = 1u; k < p[1].x; k = k + 1u) {",
            "            sum = sum + scratch[k * count + kept];",
            "        }",
            "        finish(at % p[2].x, at / p[2].x, sum);",
            "    }",
        ]
        parts = [
            f"// {self.request.label}: sums",
            declarations(bindings, types, self.words),
            self.source.preamble(),
            *finish,
            *lines,
            *self._end_lines(),
        ]
        return Program(
            "\n".join(parts) + "\n",
            bindings,
            self.words,
            (256, 1, 1),
            256,
            kind="matmul sums",
            scratch=self._scratch(),
        )

    def _place_of(self, at: str) -> str:
        """Where the sum of a result is kept: of symmetric ones, above the diagonal."""
        row, column = f"{at} % p[2].x", f"{at} / p[2].x"
        above = f"min({row}, {column}) + max({row}, {column}) * p[2].x"
        return above if self.symmetric else at

    def _scratch(self) -> int:
        return self.dtype.size if self.split else 0

    def _function_of_pieces(self) -> list[str]:
        """The function that keeps a piece of a result."""
        at = "piece * p[2].x * p[2].y + c0 + c1 * p[2].x"
        return [
            "var<private> piece: u32;",
            f"fn finish(c0: u32, c1: u32, t: {self.t}) {{ scratch[{at}] = t; }}",
        ]

    def _bindings(self) -> tuple[tuple[Binding, ...], dict[Binding, str]]:
        request = self.request
        types = {
            Binding(Role.INPUT, k): layout.entries(d, False) for k, d in enumerate(request.inputs)
        }
        for k, dtype in enumerate(request.outputs):
            packed = layout.LAYOUTS[dtype].packed > 1
            text = "atomic<u32>" if packed else layout.entries(dtype, False)
            types[Binding(Role.OUTPUT, k, writable=True)] = text
        if request.guarded:
            types[Binding(Role.STATUS, 0, writable=True)] = "atomic<u32>"
        if self.split:
            types[Binding(Role.SCRATCH, 0, writable=True)] = self.t
        return tuple(types), types

    def _reads(self) -> list[str]:
        """Elements of the operands; the extents m, n, k are p[2].xyz."""
        if self.request.body:
            return [
                *self._function_of_element("a", "row", "l", "xz"),
                *self._function_of_element("b", "l", "column", "zy"),
            ]
        a = "l + i * p[2].z" if self.turned[0] else "i + l * p[2].x"
        b = "j + l * p[2].y" if self.turned[1] else "l + j * p[2].z"
        return [
            f"fn read_a(i: u32, l: u32) -> {self.t} {{ return in0[{a}]; }}",
            f"fn read_b(l: u32, j: u32) -> {self.t} {{ return in1[{b}]; }}",
        ]

    def _function_of_element(self, name: str, row: str, column: str, extents: str) -> list[str]:
        """The function that computes an element of an operand from what it is made of."""
        options, turned = dict(self.request.attrs), self.turned[name == "b"]
        split = options["split"]
        here = slice(split) if name == "a" else slice(split, None)
        body = Body(self.request, self.source, self.words, prefix=name, valid="true")
        statements = body.statements(self.request.body[here], 0 if name == "a" else split)
        places, rows = (column, row) if turned else (row, column), extents[turned]
        inner = [
            f"let c0 = {places[0]};",
            f"let c1 = {places[1]};",
            f"let i = c0 + c1 * p[2].{rows};",
            *statements,
            f"return {body.name(options[f'value_{name}'])};",
        ]
        return [
            f"fn read_{name}({row}: u32, {column}: u32) -> {self.t} {{",
            *(f"    {line}" for line in inner),
            "}",
        ]

    def _finish(self) -> list[str]:
        """The function that stores one result, epilogue applied."""
        body = Body(self.request, self.source, self.words, prefix="e", results=("t",), valid="true")
        first = len(self.request.body)
        statements = body.statements(self.request.epilogue, first)
        for store in self.request.stores:
            statements += body.store(store)
        return [
            f"fn finish(c0: u32, c1: u32, t: {self.t}) {{",
            "    let i = c0 + c1 * p[2].x;",
            *(f"    {line}" for line in statements),
            "}",
        ]

    def _end_lines(self) -> list[str]:
        return [*domain_report(self.request.guarded), "}"]

    def _skinny_lines(self, thin: SkinnyProduct) -> list[str]:
        """Products with a thin factor."""
        return [
            *thin.shared(),
            MAIN.replace("{size}", str(thin.size)),
            "    let m = p[2].x; let n = p[2].y;",
            *self._tile_position_lines(thin.tile),
            *thin.text(),
            *self._end_lines(),
        ]

    def _blocked_lines(self, tile: Tile) -> list[str]:
        """Blocks of the result in registers."""
        bm, bn, bk, t = tile.rows, tile.columns, tile.depth, self.t
        across = bm // tile.own_rows
        fetch_a = self._fetches("a", tile, bm, self.turned[0])
        fetch_b = self._fetches("b", tile, bn, not self.turned[1])
        sums = [
            f"    var s{r}_{c} = {t}();"
            for r in range(tile.own_rows)
            for c in range(tile.own_columns)
        ]
        return [
            f"var<workgroup> tile_a: array<vec4<{t}>, {bk * (bm // 4 + PAD)}>;",
            f"var<workgroup> tile_b: array<vec4<{t}>, {bk * (bn // 4 + PAD)}>;",
            MAIN.replace("{size}", str(tile.threads)),
            "    let m = p[2].x; let n = p[2].y;",
            f"    let across = (m + {bm - 1}u) / {bm}u;",
            *self._tile_position_lines(tile),
            f"    let row = (number % across) * {bm}u;",
            f"    let column = (number / across) * {bn}u;",
            "    if (column >= n) { return; }",
            *([f"    if (column + {bn}u <= row) {{ return; }}"] if self.symmetric else []),
            f"    let tx = lane % {across}u; let ty = lane / {across}u;",
            *sums,
            *(f"    var {name} = {t}();" for name, *_ in (*fetch_a, *fetch_b)),
            "    var l0 = start;",
            *self._load(fetch_a, fetch_b, "    "),
            "    loop {",
            *(f"        tile_a[{place}][{part}] = {name};" for name, _, place, part in fetch_a),
            *(f"        tile_b[{place}][{part}] = {name};" for name, _, place, part in fetch_b),
            "        workgroupBarrier();",
            f"        l0 = l0 + {bk}u;",
            "        if (l0 < depth) {",
            *self._load(fetch_a, fetch_b, "            "),
            "        }",
            *self._multiply(tile),
            "        workgroupBarrier();",
            "        if (l0 >= depth) { break; }",
            "    }",
            *self._results(tile),
            *self._end_lines(),
        ]

    def _tile_position_lines(self, tile: Tile) -> list[str]:
        """Which tile it is, and from where to where its sums go."""
        place = "group.x + group.y * groups.x"
        if not self.split:
            return [f"    let number = {place};", "    let start = 0u; let depth = p[2].z;"]
        return [
            f"    let tiles = (m + {tile.rows - 1}u) / {tile.rows}u"
            f" * ((n + {tile.columns - 1}u) / {tile.columns}u);",
            f"    let number = ({place}) % tiles;",
            f"    piece = ({place}) / tiles;",
            "    if (piece >= p[1].x) { return; }",
            "    let start = piece * p[0].w; let depth = min(start + p[0].w, p[2].z);",
        ]

    def _fetches(
        self, name: str, tile: Tile, side: int, inner_first: bool
    ) -> list[tuple[str, str, str, str]]:
        """Per fetched element: register, value, quad and component in workgroup memory."""
        found = []
        count = side * tile.depth // tile.threads
        for k in range(count):
            e = f"(lane + {k * tile.threads}u)"
            if inner_first:
                inner, s = f"({e} % {tile.depth}u)", f"({e} / {tile.depth}u)"
            else:
                s, inner = f"({e} % {side}u)", f"({e} / {side}u)"
            if name == "a":
                value, inside = f"read_a(row + {s}, l0 + {inner})", f"row + {s} < m"
            else:
                value, inside = f"read_b(l0 + {inner}, column + {s})", f"column + {s} < n"
            if not self.exact:
                value = f"select({self.t}(), {value}, {inside} && l0 + {inner} < depth)"
            place = f"{inner} * {side // 4 + PAD}u + ({s} >> 2u)"
            found.append((f"f{name}{k}", value, place, f"{s} & 3u"))
        return found

    def _finish_statement(self, row: str, column: str, value: str) -> str:
        """The statement that finishes a result, and its mirror image."""
        call = f"finish({row}, {column}, {value});"
        if not self.symmetric:
            return call
        mirrored = (
            ""
            if self.split
            else (f" if ({row} != {column}) {{ finish({column}, {row}, {value}); }}")
        )
        return f"if ({row} <= {column}) {{ {call}{mirrored} }}"

    @staticmethod
    def _load(
        a: list[tuple[str, str, str, str]], b: list[tuple[str, str, str, str]], indent: str
    ) -> list[str]:
        return [f"{indent}{name} = {value};" for name, value, *_ in (*a, *b)]

    def _multiply(self, tile: Tile) -> list[str]:
        if not tile.unroll:
            inner = [f"    {line}" for line in self._step(tile, "l", "")]
            return [
                f"        for (var l = 0u; l < {tile.depth}u; l = l + 1u) {{",
                *inner,
                "        }",
            ]
        return [line for k in range(tile.depth) for line in self._step(tile, f"{k}u", f"_{k}")]

    def _step(self, tile: Tile, inner: str, mark: str) -> list[str]:
        """One column of A's tile times one row of B's tile."""
        bm, bn = tile.rows // 4 + PAD, tile.columns // 4 + PAD
        lines = []
        for h in range(tile.own_rows // 4):
            place = f"{inner} * {bm}u + {h * (tile.rows // tile.own_rows)}u + tx"
            lines.append(f"        let a{h}{mark} = tile_a[{place}];")
        for h in range(tile.own_columns // 4):
            place = f"{inner} * {bn}u + {h * (tile.columns // tile.own_columns)}u + ty"
            lines.append(f"        let b{h}{mark} = tile_b[{place}];")
        for r in range(tile.own_rows):
            for c in range(tile.own_columns):
                x, y = f"a{r // 4}{mark}.{'xyzw'[r % 4]}", f"b{c // 4}{mark}.{'xyzw'[c % 4]}"
                lines.append(f"        s{r}_{c} = fma({x}, {y}, s{r}_{c});")
        return lines

    def _results(self, tile: Tile) -> list[str]:
        lines = []
        for h in range(tile.own_rows // 4):
            rows = f"row + {h * (tile.rows // tile.own_rows) * 4}u + 4u * tx"
            for c in range(tile.own_columns):
                at = f"{(c // 4) * (tile.columns // tile.own_columns) * 4 + c % 4}u"
                column = f"column + {at} + 4u * ty"
                calls = [
                    self._finish_statement(f"{rows} + {r}u", column, f"s{4 * h + r}_{c}")
                    for r in range(4)
                ]
                if self.exact:
                    lines += [f"    {call}" for call in calls]
                    continue
                lines.append(f"    if ({column} < n) {{")
                lines += [
                    f"        if ({rows} + {r}u < m) {{ {call} }}" for r, call in enumerate(calls)
                ]
                lines.append("    }")
        return lines


def generate(
    request: KernelRequest, variant: Variant, *, abilities: Abilities
) -> tuple[Program, ...]:
    """The program of a product; two where sums are split."""
    kernel = MatmulKernel(request, variant, abilities=abilities)
    if not kernel.split:
        return (kernel.program(),)
    return kernel.program(), MatmulKernel(request, variant, abilities=abilities).sums()
