"""Products of the pages of two arrays, all in one launch; a matrix may stand for all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.blocks import (
    DEPTH,
    OUTPUT,
    own_place,
    put,
    tile_load,
    tile_sums,
    tiles_of,
)
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

SMALL, LARGE = (32, 2), (64, 4)
"""Rows and columns of a workgroup's tile, and of an invocation's part of it."""
PRODUCT = wgsl_template("pages/product")


class _Pages(Algorithm):
    """The one algorithm of this module; attrs say which operand is transposed."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """The first operand's pages."""
        del attrs
        return shape[0], shape[1], shape[2] if len(shape) > 2 else 1

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """Which operand is transposed, and whether the second is one matrix for all pages."""
        del shape
        names = ("turned_a", "turned_b", "shared")
        return tuple((name, int(bool(flag))) for name, flag in zip(names, attrs, strict=True))

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """NumPy's products."""
        a: Any = operands[0].reshape(extents, order="F").transpose(2, 0, 1)
        a = a.swapaxes(1, 2) if options["turned_a"] else a
        depth, pages = a.shape[2], 1 if options["shared"] else extents[2]
        other: Any = operands[1]
        shape = (-1, depth, pages) if options["turned_b"] else (depth, -1, pages)
        b = other.reshape(shape, order="F").transpose(2, 0, 1)
        b = b.swapaxes(1, 2) if options["turned_b"] else b
        return [np.matmul(a, b).transpose(1, 2, 0).reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Small tiles, and large ones."""
        if not request.inputs[0].is_float or request.inputs[0] is not request.inputs[1]:
            raise Unsupported("pages that are not of one float class")
        return tuple(self._program(request, abilities, *size) for size in (SMALL, LARGE))

    @staticmethod
    def _program(request: KernelRequest, abilities: Abilities, tile: int, own: int) -> Program:
        turned, step = dict(request.attrs), tile // own
        t = layout.register(request.inputs[0])
        sums, products = tile_sums(t, tile, own)
        stores = []
        for r in range(own):
            for c in range(own):
                i = f"here + {own_place(t, tile, own, 'x', r)}"
                j = f"there + {own_place(t, tile, own, 'y', c)}"
                stores.append(
                    f"    if ({i} < m && {j} < n) {{ out0[first_c + ({j}) * m + {i}] = s{r}_{c}; }}"
                )
        inputs = {Binding(Role.INPUT, k): t for k in range(2)}
        deep = f"EACH % {DEPTH}u", f"EACH / {DEPTH}u"
        wide = f"EACH / {tile}u", f"EACH % {tile}u"
        inner, i = deep if turned["turned_a"] else wide
        o, j = wide if turned["turned_b"] else deep
        k, h = f"first + {inner}", f"first + {o}"
        left = f"(here + {i}) * depth + {k}" if turned["turned_a"] else f"({k}) * m + here + {i}"
        right = f"({h}) * n + there + {j}" if turned["turned_b"] else f"(there + {j}) * depth + {h}"
        count = tile * DEPTH
        fetched = (
            tile_load(
                t,
                "a",
                count,
                WORKGROUP,
                value=f"in0[first_a + {left}]",
                inside=f"here + {i} < m && {k} < depth",
                place=put(t, "tile_a", f"({inner}) * {tile}u + {i}", own),
            ),
            tile_load(
                t,
                "b",
                count,
                WORKGROUP,
                value=f"in1[first_b + {right}]",
                inside=f"there + {j} < n && {h} < depth",
                place=put(t, "tile_b", f"({o}) * {tile}u + {j}", own),
            ),
        )
        return Writer(request, abilities).program(
            f"product {tile}",
            PRODUCT,
            inputs | {OUTPUT: t},
            tiles_of(t, tile, own),
            scratch="",
            t=t,
            tile=tile,
            across=step,
            depth=DEPTH,
            sums=sums,
            products=products,
            declared="\n".join(part.declared for part in fetched),
            fetched="\n".join(part.fetched for part in fetched),
            stored="\n".join(part.stored for part in fetched),
            stores="\n".join(stores),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """One launch over the tiles of all pages."""
        del limit
        operands: Any = (*dispatch.inputs, dispatch.outputs[0])
        rows, columns, pages = dispatch.extents
        options = dict(dispatch.pipeline.request.attrs)
        m, depth = (columns, rows) if options["turned_a"] else (rows, columns)
        n = operands[2].count // (m * pages)
        apart = 0 if options["shared"] else depth * n
        large = min(m, n) > SMALL[0]
        tile = (LARGE if large else SMALL)[0]
        tiles = -(-m // tile) * -(-n // tile)
        words = parameter_words(dispatch, operands[2].count, (n, m, depth, apart, tiles))
        yield stages[large], Launch(words, spread(tiles * pages))

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """As much as reading both and a product of squares of that many points."""
        depth = max(1.0, points**0.5 if lines == 1 else 64.0)
        each = request.inputs[0].size
        return Effort(3 * points * each, int(points * depth), points * depth / 10)


PAGES = _Pages()

assert WORKGROUP == (SMALL[0] // SMALL[1]) ** 2 == (LARGE[0] // LARGE[1]) ** 2
