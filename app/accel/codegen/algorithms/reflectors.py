"""Shaders that apply blocks of Householder reflectors: I - V T V' to the columns of a matrix.

V lies below the diagonal of the factored matrix, 32 columns at a time, and T, upper triangular, in
32 rows beside it (Schreiber and Van Loan, "A storage-efficient WY representation", 1989). Sums over
the rows are cut into pieces: ``W = V'C`` in pieces, ``Z = T W`` of their sum, ``C - V Z``.

Parameters: the block's first column (``p[0].w``), its width (``p[1].x``), the first column of C
(``p[1].y``) and how many (``p[1].z``), the number of pieces (``p[1].w``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel.codegen.algorithms import blocks
from app.accel.codegen.algorithms.blocks import (
    BLOCK,
    OWN,
    TILE,
    own_place,
    tile_load,
    tile_sums,
    tiles_of,
)
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import spread
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.plan import KernelRequest

DEPTH = 32
"""Rows of a tile."""
LANES = 128
PIECES = 64
LEAST = 128
"""Rows of a piece, at least."""
BUSY = 512
TURNED = 8
"""Columns of a workgroup that multiplies by T."""
REFLECTOR = wgsl_template("reflectors/reflector")
PLAIN = """\
fn c(r: u32, j: u32) -> {t} {{ return out0[(p[1].y + j) * p[2].x + r]; }}
"""
OWN_BLOCK = wgsl_template("reflectors/own_block")
PRODUCT = wgsl_template("reflectors/product")
TURN = wgsl_template("reflectors/turn")
UPDATE = wgsl_template("reflectors/update")


def pieces(rows: int, columns: int) -> int:
    """Into how many pieces the rows are cut."""
    tiles = -(-columns // TILE)
    return max(1, min(PIECES, -(-BUSY // tiles), rows // LEAST))


def scratch(columns: int) -> int:
    """Elements of all pieces, at most."""
    return BLOCK * TILE * (BUSY + -(-columns // TILE))


def workgroup_counts(rows: int, columns: int, more: int) -> tuple[tuple[int, int, int], ...]:
    """Workgroups of the product, the multiplication by T and the update of all but some columns."""
    parts = -(-columns // TILE) * pieces(rows, columns)
    update = -(-rows // TILE) * -(-(columns - more) // TILE)
    return spread(parts), spread(-(-columns // TURNED)), spread(max(update, 1))


class Reflectors(Writer):
    """The shaders; V and T lie in given arrays, and C in the first output.

    Attributes:
        t: type of an element.
        own: whether C is the factored matrix itself, whose block is its first columns.
    """

    def __init__(
        self, request: KernelRequest, abilities: Abilities, matrix: str, triangle: str
    ) -> None:
        dtype = request.inputs[0]
        if not dtype.is_float:
            raise Unsupported(f"factors of {dtype.label}")
        self.t, self.own, self.triangle = layout.register(dtype), matrix == "out0", triangle
        functions = REFLECTOR.format(t=self.t, matrix=matrix)
        functions += (OWN_BLOCK if self.own else PLAIN).format(t=self.t)
        super().__init__(request, abilities, functions)
        self.arrays = {Binding(Role.OUTPUT, 0, writable=True): self.t}
        if not self.own:
            self.arrays = {Binding(Role.INPUT, 0): self.t} | self.arrays

    def written(self, kind: str, text: str, shared: str, size: int, **names: Any) -> Program:
        """One shader, with scratch memory of elements."""
        bindings = dict(self.arrays)
        if names.pop("needs_triangle", False):
            bindings |= (
                {Binding(Role.OUTPUT, 1, writable=True): self.t}
                if self.own
                else {Binding(Role.INPUT, 1): self.t}
            )
        return self.program(
            kind, text, bindings, shared, scratch=self.t, size=size, t=self.t, block=BLOCK, **names
        )

    def product(self) -> Program:
        """The pieces of ``V'C``."""
        each = [(r, c) for r in range(4) for c in range(4)]
        wide_v, wide_c = BLOCK // 4 + 1, TILE // 4 + 1
        shared = (
            f"var<workgroup> tile_v: array<vec4<{self.t}>, {DEPTH * wide_v}>;\n"
            f"var<workgroup> tile_c: array<vec4<{self.t}>, {DEPTH * wide_c}>;\n"
        )
        row, column = f"EACH % {DEPTH}u", f"EACH / {DEPTH}u"
        quad = f"[({row}) * {{wide}}u + (({column}) >> 2u)][({column}) & 3u]"
        fetched = (
            tile_load(
                self.t,
                "v",
                DEPTH * BLOCK,
                LANES,
                value=f"v(first + {row}, {column})",
                inside=f"first + {row} < end",
                place="tile_v" + quad.format(wide=wide_v),
            ),
            tile_load(
                self.t,
                "c",
                DEPTH * TILE,
                LANES,
                value=f"c(first + {row}, there + {column})",
                inside=f"first + {row} < end && there + {column} < p[1].z",
                place="tile_c" + quad.format(wide=wide_c),
            ),
        )
        place = f"scratch[(piece * p[1].z + there + 4u * y + {{c}}u) * {BLOCK}u + 4u * x + {{r}}u]"
        return self.written(
            "product",
            PRODUCT,
            shared,
            LANES,
            tile=TILE,
            depth=DEPTH,
            wide_v=wide_v,
            wide_c=wide_c,
            fetched="\n".join(part.at_once for part in fetched),
            sums="\n".join(f"    var s{r}_{c} = {self.t}();" for r, c in each),
            products="\n".join(
                f"            s{r}_{c} = fma(a.{'xyzw'[r]}, b.{'xyzw'[c]}, s{r}_{c});"
                for r, c in each
            ),
            stores="\n".join(
                f"    if (there + 4u * y + {c}u < p[1].z) {{ "
                f"{place.format(r=r, c=c)} = s{r}_{c}; }}"
                for r, c in each
            ),
        )

    def turn(self, *, turned: bool) -> Program:
        """The pieces added up, and multiplied by T or its transpose."""
        shared = (
            f"var<workgroup> held: array<{self.t}, {BLOCK * TURNED}>;\n"
            f"var<workgroup> t_held: array<{self.t}, {BLOCK * BLOCK}>;\n"
        )
        return self.written(
            "turn",
            TURN,
            shared,
            BLOCK * TURNED,
            columns=TURNED,
            triangle=self.triangle,
            factor=f"i * {BLOCK}u + k" if turned else f"k * {BLOCK}u + i",
            needs_triangle=True,
        )

    def update(self) -> Program:
        """``C - V Z``."""
        step = TILE // OWN
        sums, products = tile_sums(self.t, TILE, OWN)
        skip = "p[1].x" if self.own else "0u"
        stores = []
        for r in range(OWN):
            for c in range(OWN):
                i = f"here + {own_place(self.t, TILE, OWN, 'x', r)}"
                j = f"there + {own_place(self.t, TILE, OWN, 'y', c)}"
                at = f"(p[1].y + {skip} + {j}) * n + start + {i}"
                stores.append(
                    f"    if ({i} < rows && {j} < columns) {{ "
                    f"out0[{at}] = out0[{at}] - s{r}_{c}; }}"
                )
        count = TILE * blocks.DEPTH
        row, column = f"EACH % {blocks.DEPTH}u", f"EACH / {blocks.DEPTH}u"
        fetched = (
            tile_load(
                self.t,
                "a",
                count,
                WORKGROUP,
                inside="true",
                value=f"v(start + here + EACH % {TILE}u, first + EACH / {TILE}u)",
                place=blocks.put(self.t, "tile_a", "EACH", OWN),
            ),
            tile_load(
                self.t,
                "b",
                count,
                WORKGROUP,
                inside=f"there + {column} < columns",
                value=f"scratch[({skip} + there + {column}) * {BLOCK}u + first + {row}]",
                place=blocks.put(self.t, "tile_b", f"({row}) * {TILE}u + {column}", OWN),
            ),
        )
        return self.written(
            "update",
            UPDATE,
            tiles_of(self.t, TILE, OWN),
            WORKGROUP,
            tile=TILE,
            depth=blocks.DEPTH,
            across=step,
            skip=skip,
            fetched="\n".join(part.at_once for part in fetched),
            sums=sums,
            products=products,
            stores="\n".join(stores),
        )
