"""Products where one factor is thin: the other is read once, every value used for all columns.

Where the other factor's neighbours lie beside the sums (*wide*), lanes take neighbouring rows, four
groups of lanes share the length, and the thin factor waits in workgroup memory. Where they lie
along the sums (*deep*), a workgroup walks along four rows at a time. Sums that are too long or too
few are cut into pieces like those of other products.
"""

from __future__ import annotations

from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.codegen.wgsl.tiles import TILES

ROWS = 64
GROUPS = 4
BATCH = 4
WIDE = wgsl_template("matmul_skinny/wide")
DEEP = wgsl_template("matmul_skinny/deep")


class SkinnyProduct:
    """The statements of one such product.

    Attributes:
        deep: whether the other factor's neighbours lie along the sums.
        first: whether the other factor is the first.
        columns: columns of the thin one that are taken together.
        size: invocations of a workgroup.
    """

    def __init__(self, mode: str, t: str) -> None:
        self.tile, self.t = TILES[mode], t
        self.deep, self.first = mode.startswith("deep"), "_a" in mode
        self.columns = int(mode[-1])
        self.rows = 4 if self.deep else 2
        self.size = 128 if self.deep else ROWS * GROUPS

    def shared(self) -> list[str]:
        """Workgroup memory."""
        vector = f"vec4<{self.t}>" if self.deep else self.t
        tree = f"var<workgroup> tree: array<{vector}, {self.size}>;"
        if self.deep:
            return [tree]
        count = self.tile.depth * self.columns
        kind, count = (f"vec4<{self.t}>", count // 4) if self.columns > 2 else (self.t, count)
        return [tree, f"var<workgroup> held: array<{kind}, {count}>;"]

    def _read_large(self, row: str, inner: str) -> str:
        return f"read_a({row}, {inner})" if self.first else f"read_b({inner}, {row})"

    def _read_small(self, inner: str, column: str) -> str:
        return f"read_b({inner}, {column})" if self.first else f"read_a({column}, {inner})"

    def _finish(self, row: str, column: str, value: str) -> str:
        places = f"{row}, {column}" if self.first else f"{column}, {row}"
        return f"finish({places}, {value});"

    def text(self) -> list[str]:
        """The main function from where the tile is known: ``number``, ``start``, ``depth``."""
        large, few = ("m", "n") if self.first else ("n", "m")
        rows = self.tile.rows if self.first else self.tile.columns
        lines = [
            f"    let many = {large}; let few = {few};",
            f"    let blocks = (many + {rows - 1}u) / {rows}u;",
            f"    let row = (number % blocks) * {rows}u;",
            f"    let column = (number / blocks) * {self.columns}u;",
            "    if (column >= few) { return; }",
            *(
                f"    var s{r}_{c} = {self.t}();"
                for r in range(self.rows)
                for c in range(self.columns)
            ),
        ]
        return [*lines, *(self._deep_lines() if self.deep else self._wide_lines())]

    def _wide_lines(self) -> list[str]:
        chunk = self.tile.depth
        each = range(chunk // GROUPS)
        batches = [
            line
            for k in each[::BATCH]
            for line in self._steps(
                [f"y + {GROUPS * step}u" for step in each[k : k + BATCH]], str(k)
            )
        ]
        text = WIDE.format(
            t=self.t,
            chunk=chunk,
            held=chunk * self.columns,
            size=self.size,
            groups=GROUPS,
            columns=self.columns,
            little=self._read_small("l", "c"),
            packed=" >> 2u][e & 3u" if self.columns > 2 else "",
            batches="\n".join(batches),
            single="\n".join(self._steps(["l"], "")),
            ends="\n".join(self._sum_over_groups()),
        )
        return [
            f"    let x = lane % {ROWS}u; let y = lane / {ROWS}u;",
            *(f"    let i{r} = min(row + x + {r * ROWS}u, many - 1u);" for r in range(2)),
            *text.split("\n"),
        ]

    def _steps(self, places: list[str], mark: str) -> list[str]:
        """Values of the other factor at some places of a chunk, all fetched before their use."""
        lines, quads = [], self.columns > 2
        for k, place in enumerate(places):
            lines += [
                f"            let x{r}_{mark}_{k} = {self._read_large(f'i{r}', f'l0 + {place}')};"
                for r in range(2)
            ]
        for k, place in enumerate(places):
            for c in range(self.columns):
                at = (
                    f"held[({place}) * {self.columns // 4}u + {c // 4}u].{'xyzw'[c % 4]}"
                    if quads
                    else f"held[({place}) * {self.columns}u + {c}u]"
                )
                lines += [
                    f"            s{r}_{c} = fma(x{r}_{mark}_{k}, {at}, s{r}_{c});"
                    for r in range(2)
                ]
        return lines

    def _sum_over_groups(self) -> list[str]:
        """The groups' sums of every result added up."""
        lines = []
        for r in range(2):
            for c in range(self.columns):
                inside = f"y == 0u && row + x + {r * ROWS}u < many && column + {c}u < few"
                total = " + ".join(f"tree[x + {k * ROWS}u]" for k in range(GROUPS))
                lines += [
                    f"    tree[lane] = s{r}_{c};",
                    "    workgroupBarrier();",
                    f"    if ({inside}) {{",
                    f"        let sum = {total};",
                    f"        {self._finish(f'i{r}', f'column + {c}u', 'sum')}",
                    "    }",
                    "    workgroupBarrier();",
                ]
        return lines

    def _deep_lines(self) -> list[str]:
        text = DEEP.format(
            size=self.size,
            two=2 * self.size,
            single="\n".join(self._product_lines("l", "")),
            pair="\n".join(
                [*self._product_lines("l", "a"), *self._product_lines(f"(l + {self.size}u)", "b")]
            ),
            ends="\n".join(self._over_lanes()),
        )
        return [
            *(f"    let i{r} = min(row + {r}u, many - 1u);" for r in range(4)),
            *(f"    let c{c} = min(column + {c}u, few - 1u);" for c in range(self.columns)),
            *text.split("\n"),
        ]

    def _product_lines(self, inner: str, mark: str) -> list[str]:
        each = range(self.columns)
        lines = [f"        let x{r}{mark} = {self._read_large(f'i{r}', inner)};" for r in range(4)]
        lines += [f"        let y{c}{mark} = {self._read_small(inner, f'c{c}')};" for c in each]
        return lines + [
            f"        s{r}_{c} = fma(x{r}{mark}, y{c}{mark}, s{r}_{c});"
            for r in range(4)
            for c in each
        ]

    def _over_lanes(self) -> list[str]:
        """The lanes' sums of four rows at a time added up."""
        lines = []
        for c in range(self.columns):
            own = ", ".join(f"s{r}_{c}" for r in range(4))
            lines += [
                f"    tree[lane] = vec4<{self.t}>({own});",
                "    workgroupBarrier();",
                f"    for (var s = {self.size // 2}u; s > 0u; s = s >> 1u) {{",
                "        if (lane < s) { tree[lane] = tree[lane] + tree[lane + s]; }",
                "        workgroupBarrier();",
                "    }",
                f"    if (lane < 4u && row + lane < many && column + {c}u < few) {{",
                "        let sum = tree[0][lane];",
                f"        {self._finish('row + lane', f'column + {c}u', 'sum')}",
                "    }",
                "    workgroupBarrier();",
            ]
        return lines
