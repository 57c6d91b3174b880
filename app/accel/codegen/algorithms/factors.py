"""LU factors of a square matrix, with row exchanges, in blocks of 32 columns.

The factors stand in the place of the matrix. One workgroup factors a panel of columns; others
exchange the rows beside it, solve for the block row, and take the product of both off the rest
(Golub and Van Loan, "Matrix computations", 3.4). A singular matrix leaves zeros on the diagonal,
and whoever asked looks there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.blocks import BLOCK, OUTPUT, SIDE, Blocks, across
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

MOST = 24576
GROUP = 8
"""Columns of a panel that are factored together."""
COPY = wgsl_template("factors/copy")
ORDER = """
    if (at < p[2].x) { out1[at] = f64(at + 1u); }"""
# Columns are factored eight at a time; then these are taken off the panel's others. On its way
# past, the largest element of the next column is found.
PANEL = wgsl_template("factors/panel")
STORE = wgsl_template("factors/store")
PRODUCT = wgsl_template("factors/product")
EXCHANGE = wgsl_template("factors/exchange")


class Square(Algorithm):
    """One that takes a square matrix and is stored in its place."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns."""
        del attrs
        return shape[0], shape[1], 1

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Arithmetic as of products; about 40 operations per ns on the host."""
        n = max(1.0, points**0.5)
        each = request.inputs[0].size
        moved, sums = int(points * each * n / BLOCK), n**3 * self.share
        return Effort(moved, int(sums), sums / 20)

    share = 2 / 3


class _LU(Square):
    """``lu``: both factors in one matrix, and ``lu_order``: which row went where."""

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """LAPACK's."""
        from scipy import linalg

        a: Any = operands[0].reshape(extents[:2], order="F")
        factors, pivots, _ = linalg.lapack.get_lapack_funcs("getrf", (a,))(a)
        order = np.arange(1.0, a.shape[0] + 1.0)
        for k, pivot in enumerate(pivots):
            order[[k, pivot]] = order[[pivot, k]]
        results: dict[str, Array] = {"lu": factors.reshape(-1, order="F"), "lu_order": order}
        return [results[op] for op in ops]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Copy; per block: panel, exchange, block row, product."""
        if len(request.reductions) < 2:
            raise Unsupported("factors without their order")
        blocks = Blocks(request, abilities)
        t, lanes = blocks.t, blocks.lanes
        order = {Binding(Role.OUTPUT, 1, writable=True): "f64"}
        shared = (
            f"var<workgroup> sizes: array<{t}, {lanes}>;\n"
            f"var<workgroup> places: array<u32, {lanes}>;\n"
            f"var<workgroup> top: array<{t}, {BLOCK}>;\n"
            f"var<workgroup> upper: array<{t}, {BLOCK * GROUP}>;\n"
        )
        panel = blocks.program(
            "panel",
            PANEL,
            {OUTPUT: t} | order,
            shared,
            size=lanes,
            t=t,
            half=lanes // 2,
            block=BLOCK,
            group=GROUP,
            **_panel_lines(),
        )
        source = {Binding(Role.INPUT, 0): layout.entries(request.inputs[0], False)}
        copy = blocks.program("copy", COPY, source | {OUTPUT: t} | order, scratch="", order=ORDER)
        return (
            copy,
            panel,
            blocks.program("exchange", EXCHANGE, {OUTPUT: t}),
            blocks.solved("row", upper=False, unit=True),
            blocks.taken_off("product"),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Block after block."""
        del limit
        n = dispatch.extents[0]
        check(n)
        copy, panel, exchange, row, product = stages
        yield copy, Launch(parameter_words(dispatch, n * n), spread(-(-n * n // 256)))
        for start in range(0, n, BLOCK):
            width = min(BLOCK, n - start)
            rest = n - start - width

            def words(*more: int, at: int = start, wide: int = width) -> list[int]:
                return parameter_words(dispatch, n * n, (at, wide, *more))

            yield panel, Launch(words(), (1, 1, 1), 4 * n)
            yield exchange, Launch(words(), spread(-(-(n - width) // 256)), 4 * n)
            if rest:
                yield row, Launch(words(rest, start + width), spread(-(-rest // SIDE)))
                yield product, Launch(words(rest, start + width, rest), across(rest, rest))


def _panel_lines() -> dict[str, Any]:
    """The statements of a panel that are written out for each column of a group."""
    each = range(GROUP)
    solved = [f"            var y{i} = out0[at + {i}u];" for i in each]
    solved += [
        f"            y{i} = y{i} - out0[own + {q}u * n + {i}u] * y{q};"
        for i in each
        for q in range(i)
    ]
    solved += [
        f"            out0[at + {i}u] = y{i}; upper[{i * BLOCK}u + lane] = y{i};" for i in each
    ]
    place = "out0[(start + min({first} + {k}u, width - 1u)) * n + r]"
    total = " + ".join(f"l{q} * upper[{q * BLOCK}u + k + {{k}}u]" for q in each)
    lines = {
        "loads": [f"            let x{k} = {place.format(first='g', k=k)};" for k in each],
        "stores": [STORE.format(k=k) for k in each],
        "solved": solved,
        "factors": [f"            let l{q} = out0[own + {q}u * n];" for q in each],
        "others": [f"                let x{k} = {place.format(first='k', k=k)};" for k in each],
        "products": [PRODUCT.format(k=k, sum=total.format(k=k)) for k in each],
    }
    return {name: "\n".join(text) for name, text in lines.items()}


def check(n: int) -> None:
    """The launches of one dispatch have a limit."""
    if n > MOST:
        raise Unsupported(f"factors of {n} columns")


LU = _LU()
