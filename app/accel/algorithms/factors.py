"""LU factors of a square matrix, with row exchanges, in blocks of 32 columns.

The factors stand in the place of the matrix. One workgroup factors a panel of columns; others
exchange the rows beside it, solve for the block row, and take the product of both off the rest
(Golub and Van Loan, "Matrix computations", 3.4). A singular matrix leaves zeros on the diagonal,
and whoever asked looks there.
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
# Rows and columns come in groups, whose loads are under way together; on its way past, the largest
# element of the next column is found.
PANEL = """\
    if (number > 0u) {{ return; }}
    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    var best = {t}(-1.0); var place = start;
    for (var r = start + lane; r < n; r = r + {size}u) {{
        let value = abs(out0[start * n + r]);
        if (value > best) {{ best = value; place = r; }}
    }}
    for (var j = 0u; j < width; j = j + 1u) {{
        let column = (start + j) * n; let c = start + j;
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
        best = {t}(-1.0); place = c + 1u;
        for (var r = c + 1u + lane; r < n; r = r + {rows}u * {size}u) {{
{factors}
            for (var g = (j + 1u) / {group}u * {group}u; g < width; g = g + {group}u) {{
{loads}
{stores}
            }}
        }}
        storageBarrier();
        workgroupBarrier();
    }}
}}"""
STORE = """\
                if (inside{q} && g + {k}u > j && g + {k}u < width) {{
                    let value = x{q}_{k} - factor{q} * top[g + {k}u];
                    out0[{at}] = value;
                    if (g + {k}u == j + 1u && abs(value) > best) {{
                        best = abs(value); place = r{q};
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
        t, lanes = blocks.t, blocks.lanes
        order = {Binding(Role.OUTPUT, 1, writable=True): "f64"}
        rows, group = 4, 8 if request.inputs[0].size == 4 else 4
        shared = (f"var<workgroup> sizes: array<{t}, {lanes}>;\n"
                  f"var<workgroup> places: array<u32, {lanes}>;\n"
                  f"var<workgroup> top: array<{t}, {BLOCK}>;\n")  # fmt: skip
        factors, loads, stores = _panel_lines(rows, group, lanes)
        panel = blocks.program(
            "panel", PANEL, {OUTPUT: t} | order, shared, size=lanes, t=t, half=lanes // 2,
            block=BLOCK, rows=rows, group=group, factors=factors, loads=loads, stores=stores,
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
                yield row, Launch(words(rest, start + width), spread(-(-rest // 256)))
                yield product, Launch(words(rest, start + width, rest), across(rest, rest))


def _panel_lines(rows: int, group: int, lanes: int) -> tuple[str, ...]:
    """The statements of a panel's update: factors of some rows, then groups of columns."""
    pairs = [(q, k) for q in range(rows) for k in range(group)]
    place = "(start + min(g + {k}u, width - 1u)) * n + at{q}"
    factors = [f"            let r{q} = r + {q * lanes}u; let inside{q} = r{q} < n; "
               f"let at{q} = min(r{q}, n - 1u);" for q in range(rows)]  # fmt: skip
    factors += [f"            let l{q} = out0[column + at{q}];" for q in range(rows)]
    factors += [f"            let factor{q} = l{q} / divisor; "
                f"if (inside{q}) {{ out0[column + r{q}] = factor{q}; }}"
                for q in range(rows)]  # fmt: skip
    loads = [f"                let x{q}_{k} = out0[{place.format(q=q, k=k)}];" for q, k in pairs]
    stores = [STORE.format(q=q, k=k, at=place.format(q=q, k=k)) for q, k in pairs]
    return "\n".join(factors), "\n".join(loads), "\n".join(stores)


def check(n: int) -> None:
    """The launches of one dispatch have a limit."""
    if n > MOST:
        raise Unsupported(f"factors of {n} columns")


LU = _LU()
