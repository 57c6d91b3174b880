"""Factorisations of square matrices: LU with row exchanges, and Cholesky.

Blocks of 32 columns, the factors in the place of the matrix. For LU one workgroup factors a panel
of columns; other workgroups exchange the rows beside it, solve for the block row, and take the
product of both off the rest. Cholesky factors a block in workgroup memory, solves for the block
row, and takes its product off the upper triangle (Golub and Van Loan, "Matrix computations", 3.2
and 4.2). LU's order is the permutation's; a singular or indefinite matrix leaves zeros or NaN on
the diagonal, and whoever asked looks there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.algorithms.base import Algorithm, Effort
from app.accel.algorithms.blocks import BLOCK, OUTPUT, Blocks, across
from app.accel.kernels import storage
from app.accel.kernels.launch import Launch, parameter_words, spread
from app.accel.kernels.program import Binding, Role
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.kernels.program import Program
    from app.accel.kernels.storage import Abilities
    from app.accel.node import Attrs, Shape
    from app.accel.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

MOST = 24576
COPY = """\
    let at = number * {size}u + lane;
    if (at >= total()) {{ return; }}
    out0[at] = in0[at];{order}
}}"""
ORDER = """
    if (at < p[2].x) { out1[at] = f64(at + 1u); }"""
# Columns come in groups, whose loads are under way together.
PANEL = """\
    if (number > 0u) {{ return; }}
    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    for (var j = 0u; j < width; j = j + 1u) {{
        let column = (start + j) * n; let c = start + j;
        var best = {t}(-1.0); var place = c;
        for (var r = c + lane; r < n; r = r + {size}u) {{
            let value = abs(out0[column + r]);
            if (value > best) {{ best = value; place = r; }}
        }}
        sizes[lane] = best; places[lane] = place;
        workgroupBarrier();
        for (var s = {half}u; s > 0u; s = s >> 1u) {{
            if (lane < s) {{
                let other = sizes[lane + s];
                let further = places[lane + s];
                if (other > sizes[lane] || (other == sizes[lane] && further < places[lane])) {{
                    sizes[lane] = other; places[lane] = further;
                }}
            }}
            workgroupBarrier();
        }}
        let pivot = places[0];
        if (lane < width) {{
            let at = (start + lane) * n;
            let old = out0[at + c]; let new_ = out0[at + pivot];
            out0[at + c] = new_; out0[at + pivot] = old;
            top[lane] = new_;
        }}
        if (lane == {block}u) {{
            scratch[c] = pivot;
            let old = out1[c]; out1[c] = out1[pivot]; out1[pivot] = old;
        }}
        storageBarrier();
        workgroupBarrier();
        let divisor = select(top[j], {t}(1.0), top[j] == {t}());
        for (var r = c + 1u + lane; r < n; r = r + {size}u) {{
            let factor = out0[column + r] / divisor;
            out0[column + r] = factor;
            for (var g = (j + 1u) / {group}u * {group}u; g < width; g = g + {group}u) {{
{loads}
{stores}
            }}
        }}
        storageBarrier();
        workgroupBarrier();
    }}
}}"""
EXCHANGE = """\
    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    let point = number * {size}u + lane;
    if (point >= n - width) {{ return; }}
    let at = select(point + width, point, point < start) * n;
    for (var j = 0u; j < width; j = j + 1u) {{
        let old = out0[at + start + j]; let pivot = scratch[start + j];
        out0[at + start + j] = out0[at + pivot];
        out0[at + pivot] = old;
    }}
}}"""
DIAGONAL = """\
    if (number > 0u) {{ return; }}
    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    let row = lane % {block}u;
    for (var c = lane / {block}u; c < width; c = c + {size}u / {block}u) {{
        if (row < width) {{ held[row * {pad}u + c] = out0[(start + c) * n + start + row]; }}
    }}
    workgroupBarrier();
    for (var j = 0u; j < width; j = j + 1u) {{
        let root = sqrt(held[j * {pad}u + j]);
        workgroupBarrier();
        if (lane < width && lane >= j) {{
            held[j * {pad}u + lane] = select(held[j * {pad}u + lane] / root, root, lane == j);
        }}
        workgroupBarrier();
        for (var r = j + 1u + lane / {block}u; r < width; r = r + {size}u / {block}u) {{
            if (row >= r && row < width) {{
                held[r * {pad}u + row] = held[r * {pad}u + row]
                    - held[j * {pad}u + r] * held[j * {pad}u + row];
            }}
        }}
        workgroupBarrier();
    }}
    for (var c = lane / {block}u; c < width; c = c + {size}u / {block}u) {{
        if (row <= c) {{ out0[(start + c) * n + start + row] = held[row * {pad}u + c]; }}
    }}
}}"""
CLEAN = """\
    let at = number * {size}u + lane;
    if (at >= total() || at % p[2].x <= at / p[2].x) {{ return; }}
    out0[at] = {t}();
}}"""


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
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape,
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
        t, lanes, group = blocks.t, blocks.lanes, 16
        order = {Binding(Role.OUTPUT, 1, writable=True): "f64"}
        each = range(group)
        column = "(start + min(g + {k}u, width - 1u)) * n + r"
        shared = (f"var<workgroup> sizes: array<{t}, {lanes}>;\n"
                  f"var<workgroup> places: array<u32, {lanes}>;\n"
                  f"var<workgroup> top: array<{t}, {BLOCK}>;\n")  # fmt: skip
        loads = [f"                let x{k} = out0[{column.format(k=k)}];" for k in each]
        stores = [f"                if (g + {k}u > j && g + {k}u < width) {{ "
                  f"out0[{column.format(k=k)}] = x{k} - factor * top[g + {k}u]; }}"
                  for k in each]  # fmt: skip
        panel = blocks.program(
            "panel", PANEL, {OUTPUT: t} | order, shared, size=lanes, t=t, half=lanes // 2,
            block=BLOCK, group=group, loads="\n".join(loads), stores="\n".join(stores),
        )  # fmt: skip
        source = {Binding(Role.INPUT, 0): storage.entries(request.inputs[0], False)}
        copy = blocks.program("copy", COPY, source | {OUTPUT: t} | order, scratch="", order=ORDER)
        return (
            copy, panel, blocks.program("exchange", EXCHANGE, {OUTPUT: t}),
            blocks.solved("row", upper=False, unit=True), blocks.taken_off("product"),
        )  # fmt: skip

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Block after block."""
        del limit
        n = dispatch.extents[0]
        _check(n)
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
                yield row, Launch(words(rest, start + width), spread(-(-rest // 256)))
                yield product, Launch(words(rest, start + width, rest), across(rest, rest))


class _Cholesky(Square):
    """``cholesky``: the upper factor R with R'R = A, from A's upper triangle."""

    share = 1 / 3

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """LAPACK's; NaN in the last place where the matrix is not positive definite."""
        from scipy import linalg

        a: Any = operands[0].reshape(extents[:2], order="F")
        factor, info = linalg.lapack.get_lapack_funcs("potrf", (a,))(a, clean=True)
        if info:
            factor[-1, -1] = np.nan
        return [factor.reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Copy; per block: its own factor, the block row, the product; zeros below."""
        blocks = Blocks(request, abilities)
        t = blocks.t
        source = {Binding(Role.INPUT, 0): storage.entries(request.inputs[0], False)}
        held = f"var<workgroup> held: array<{t}, {BLOCK * (BLOCK + 1)}>;\n"
        return (
            blocks.program("copy", COPY, source | {OUTPUT: t}, scratch="", order=""),
            blocks.program("diagonal", DIAGONAL, {OUTPUT: t}, held, scratch="", block=BLOCK,
                           pad=BLOCK + 1),
            blocks.solved("row", upper=False, unit=False, turned=True),
            blocks.taken_off("product", turned=True),
            blocks.program("clean", CLEAN, {OUTPUT: t}, scratch="", t=t),
        )  # fmt: skip

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Block after block."""
        del limit
        n = dispatch.extents[0]
        _check(n)
        copy, diagonal, row, product, clean = stages
        everything = Launch(parameter_words(dispatch, n * n), spread(-(-n * n // 256)))
        yield copy, everything
        for start in range(0, n, BLOCK):
            width = min(BLOCK, n - start)
            rest = n - start - width
            words = parameter_words(dispatch, n * n, (start, width, rest, start + width, rest))
            yield diagonal, Launch(words, (1, 1, 1))
            if rest:
                yield row, Launch(list(words), spread(-(-rest // 256)))
                yield product, Launch(list(words), across(rest, rest))
        yield clean, Launch(parameter_words(dispatch, n * n), everything.groups)


def _check(n: int) -> None:
    """The launches of one dispatch have a limit."""
    if n > MOST:
        raise Unsupported(f"factors of {n} columns")


LU = _LU()
CHOLESKY = _Cholesky()
