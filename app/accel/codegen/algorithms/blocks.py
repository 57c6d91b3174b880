"""Shaders over blocks of a matrix: triangular solving, and products taken off the rest.

Parameters: where the block column starts (``p[0].w``), its width (``p[1].x``), how many columns
are worked on (``p[1].y``), the first row or column of the rest (``p[1].z``), rows of the rest
(``p[1].w``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import spread
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.shapes import REFLECTIONS
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.plan import KernelRequest

BLOCK = REFLECTIONS
"""Columns of a block."""
TILE = 64
"""Rows and columns of a workgroup's part of a product."""
DEPTH = 16
OWN = 4
SIDE = 64
"""Columns that a workgroup solves for."""
MOST_LANES = 1024
"""Invocations of the one workgroup that factors a panel, where an adapter has so many."""
MOST_THIN = 8
"""Columns up to which a product is taken element by element."""
OUTPUT = Binding(Role.OUTPUT, 0, writable=True)

SOLVED = wgsl_template("blocks/solved")
TAKEN_OFF = wgsl_template("blocks/taken_off")
THIN = wgsl_template("blocks/thin")


def across(rows: int, columns: int) -> tuple[int, int, int]:
    """Workgroups of a product."""
    return spread(-(-rows // TILE) * -(-columns // TILE))


def vector(t: str, own: int) -> int:
    """Neighbours that an invocation reads of a tile at once: 16 bytes."""
    return min(own, 2 if t == "f64" else 4)


def tiles_of(t: str, tile: int, own: int) -> str:
    """The declarations of both tiles."""
    wide = vector(t, own)
    kind, size = f"vec{wide}<{t}>", tile * DEPTH // wide
    return "".join(f"var<workgroup> tile_{name}: array<{kind}, {size}>;\n" for name in "ab")


def put(t: str, tile: str, index: str, own: int) -> str:
    """An element of a tile."""
    wide = vector(t, own)
    return f"{tile}[({index}) / {wide}u][({index}) % {wide}u]"


def own_place(t: str, tile: int, own: int, lane: str, r: int) -> str:
    """The row (or column) of an invocation's r-th result in a tile."""
    wide = vector(t, own)
    return f"{wide}u * {lane} + {r // wide * (tile // own) * wide + r % wide}u"


class Moved(NamedTuple):
    """Statements that bring elements to a tile: all are on their way before one is put down."""

    declared: str
    fetched: str
    stored: str

    @property
    def at_once(self) -> str:
        """One after the other."""
        return "\n".join(self)


def tile_load(
    t: str, name: str, count: int, size: int, *, value: str, inside: str, place: str
) -> Moved:
    """`value`, `inside` and `place` say what element ``EACH`` is, whether it is there, and where
    it goes."""
    each = [(k, f"(lane + {k * size}u)") for k in range(count // size)]
    fetched = [f"{name}{k} = select({t}(), {value}, {inside});".replace("EACH", e) for k, e in each]
    stored = [f"{place} = {name}{k};".replace("EACH", e) for k, e in each]
    parts = [f"var {name}{k} = {t}();" for k, _ in each], fetched, stored
    return Moved(*("\n".join(f"        {line}" for line in lines) for lines in parts))


def tile_sums(t: str, tile: int, own: int) -> tuple[str, str]:
    """Declarations of an invocation's sums, and their next terms from both tiles."""
    wide, step = vector(t, own), tile // own
    pairs = [(r, c) for r in range(own) for c in range(own)]
    lines = [
        f"            let {name}{h} = tile_{name}[l * {tile // wide}u + {h * step}u + {lane}];"
        for name, lane in ("ax", "by")
        for h in range(own // wide)
    ]
    parts = [(f"{'xyzw'[r % wide]}", f"{'xyzw'[c % wide]}") for r, c in pairs]
    lines += [
        f"            s{r}_{c} = fma(a{r // wide}.{x}, b{c // wide}.{y}, s{r}_{c});"
        for (r, c), (x, y) in zip(pairs, parts, strict=True)
    ]
    return "\n".join(f"    var s{r}_{c} = {t}();" for r, c in pairs), "\n".join(lines)


class Blocks(Writer):
    """Shaders over a real square matrix.

    Attributes:
        t: type of an element.
        lanes: invocations of the one workgroup that factors a panel.
        matrix: the array that holds the factors.
    """

    def __init__(self, request: KernelRequest, abilities: Abilities, matrix: str = "out0") -> None:
        super().__init__(request, abilities)
        dtype = request.inputs[0]
        if not dtype.is_float:
            raise Unsupported(f"factors of {dtype.label}")
        self.t, self.matrix = layout.register(dtype), matrix
        has_room = abilities.workgroup_bytes >= 1 << 15 and abilities.workgroup_lanes >= MOST_LANES
        self.lanes = MOST_LANES if has_room else WORKGROUP

    def _bindings(self) -> dict[Binding, str]:
        own = {OUTPUT: self.t}
        return own if self.matrix == "out0" else {Binding(Role.INPUT, 0): self.t} | own

    def solved(self, kind: str, *, upper: bool, unit: bool, turned: bool = False) -> Program:
        """A block row from its triangle, a column per invocation.

        A `turned` triangle is the transpose of what lies in the matrix.
        """
        order = range(BLOCK - 1, -1, -1) if upper else range(BLOCK)
        steps = [
            f"    var x{i} = {self.t}(); if ({i}u < width) {{ x{i} = out0[at + {i}u]; }}"
            for i in range(BLOCK)
        ]
        for i in order:
            known = range(i + 1, BLOCK) if upper else range(i)
            steps += [f"    x{i} = fma(-held[{i * BLOCK + j}u], x{j}, x{i});" for j in known]
            steps += [] if unit else [f"    x{i} = x{i} * inverse[{i}u];"]
        steps += [f"    if ({i}u < width) {{ out0[at + {i}u] = x{i}; }}" for i in range(BLOCK)]
        x, y = f"(EACH % {BLOCK}u)", f"(EACH / {BLOCK}u)"
        place = f"(start + {x}) * n + start + {y}" if turned else f"(start + {y}) * n + start + {x}"
        fetched = tile_load(
            self.t,
            "h",
            BLOCK * BLOCK,
            SIDE,
            value=f"{self.matrix}[{place}]",
            inside=f"{x} < width && {y} < width",
            place=f"held[{x} * {BLOCK}u + {y}]",
        )
        own = f"{self.matrix}[(start + lane) * n + start + lane]"
        pivot = f"{self.t}(1.0) / select({self.t}(1.0), {own}, lane < width)"
        held = (
            f"var<workgroup> held: array<{self.t}, {BLOCK * BLOCK}>;\n"
            f"var<workgroup> inverse: array<{self.t}, {BLOCK}>;\n"
        )
        return self.program(
            kind,
            SOLVED,
            self._bindings(),
            held,
            scratch="",
            size=SIDE,
            t=self.t,
            block=BLOCK,
            pivot=pivot,
            fetched=fetched.at_once,
            steps="\n".join(steps),
            first="p[1].z" if self.matrix == "out0" else "0u",
        )

    def taken_off(self, kind: str, *, turned: bool = False) -> Program:
        """The product of block column and block row off what remains; where the column is `turned`
        (it is the row itself), only the upper triangle."""
        step = TILE // OWN
        pairs = [(r, c) for r in range(OWN) for c in range(OWN)]
        sums, products = tile_sums(self.t, TILE, OWN)
        column = "row" if self.matrix == "out0" else "0u"
        stores = []
        for r, c in pairs:
            i = f"here + {own_place(self.t, TILE, OWN, 'x', r)}"
            j = f"there + {own_place(self.t, TILE, OWN, 'y', c)}"
            at = f"({column} + {j}) * n + row + {i}"
            stores.append(
                f"    if ({i} < rows && {j} < columns) {{ out0[{at}] = out0[{at}] - s{r}_{c}; }}"
            )
        i, inner = f"EACH % {TILE}u", f"EACH / {TILE}u"
        k, j = f"EACH % {DEPTH}u", f"EACH / {DEPTH}u"
        if turned:
            i, inner = j, k
        left = (
            f"(row + here + {i}) * n + start + first + {inner}"
            if turned
            else f"(start + first + {inner}) * n + row + here + {i}"
        )
        count = TILE * DEPTH
        fetched = (
            tile_load(
                self.t,
                "a",
                count,
                WORKGROUP,
                value=f"{self.matrix}[{left}]",
                inside=f"here + {i} < rows && first + {inner} < width",
                place=put(self.t, "tile_a", f"({inner}) * {TILE}u + {i}", OWN),
            ),
            tile_load(
                self.t,
                "b",
                count,
                WORKGROUP,
                value=f"out0[({column} + there + {j}) * n + start + first + {k}]",
                inside=f"there + {j} < columns && first + {k} < width",
                place=put(self.t, "tile_b", f"({k}) * {TILE}u + {j}", OWN),
            ),
        )
        return self.program(
            kind,
            TAKEN_OFF,
            self._bindings(),
            tiles_of(self.t, TILE, OWN),
            scratch="",
            t=self.t,
            tile=TILE,
            depth=DEPTH,
            across=step,
            fetched="\n".join(part.at_once for part in fetched),
            skipped=" || here > there" if turned else "",
            sums=sums,
            products=products,
            stores="\n".join(stores),
        )

    def taken_off_thin(self, kind: str) -> Program:
        """The same for few columns."""
        return self.program(kind, THIN, self._bindings(), scratch="", t=self.t, matrix=self.matrix)
