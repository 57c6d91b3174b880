"""QR factors by Householder reflections, in blocks of 32 columns.

R stands in the upper triangle, the reflections' vectors below it, as LAPACK's ``geqrf`` leaves
them; the second result has the triangles T of all blocks (see `reflectors`). Within a block every
column is one launch: its reflection is applied to the others, and on the way past the sums for
the next one are taken (Golub and Van Loan, "Matrix computations", 5.2). Columns of zeros are left
as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms import reflectors
from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.blocks import BLOCK
from app.accel.codegen.algorithms.factors import COPY, check
from app.accel.codegen.algorithms.reflectors import Reflectors
from app.accel.codegen.algorithms.shader_parts import Writer
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

GROUPS = 128
"""Workgroups of a column, at most: each adds up the sums of all."""
ROWS, EACH = 8, 8
"""Rows that a workgroup takes side by side, and how many times at once."""
STATE = 2 * BLOCK * (GROUPS + 1)
"""Sums of the workgroups and the top row, for this column and the next."""
# A lane has a column of the block and every eighth row. Parameters: the block's first column, its
# width, the column within it, and workgroups. Before the first column there is nothing to apply.
COLUMN = wgsl_template("householder/column")
LOAD = wgsl_template("householder/load")
STORE = wgsl_template("householder/store")
# T's column j is -tau times T of the columns before times V'v; V'V is what the first columns of
# the product are.
TRIANGLE = wgsl_template("householder/triangle")


class _QR(Algorithm):
    """``qr``: R and the reflections; ``qr_blocks``: their triangles, 32 rows."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns."""
        del attrs
        return shape[0], shape[1], 1

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """LAPACK's, and the triangles from its vectors."""
        from scipy import linalg

        a: Any = operands[0].reshape(extents[:2], order="F")
        packed, tau, *_ = linalg.lapack.get_lapack_funcs("geqrf", (a,))(a)
        results: dict[str, Array] = {
            "qr": packed.reshape(-1, order="F"),
            "qr_blocks": _triangles(packed, tau).reshape(-1, order="F"),
        }
        return [results[op] for op in ops]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Copy; per column its reflection; per block its triangle and the columns after it."""
        if [r.op for r in request.reductions] != ["qr", "qr_blocks"]:
            raise Unsupported("factors without their reflections")
        shaders = Reflectors(request, abilities, "out0", "out1")
        t, each = shaders.t, range(EACH)
        source = {Binding(Role.INPUT, 0): layout.entries(request.inputs[0], False)}
        shared = (
            f"var<workgroup> tree: array<{t}, {ROWS * BLOCK}>;\n"
            f"var<workgroup> sums: array<{t}, {BLOCK}>;\n"
            f"var<workgroup> tops: array<{t}, {BLOCK}>;\n"
        )
        held = "".join(
            f"var<workgroup> {name}: array<{t}, {BLOCK * BLOCK}>;\n" for name in ("gram", "made")
        )
        column = shaders.written(
            "column",
            COLUMN,
            shared,
            ROWS * BLOCK,
            rows=ROWS,
            half=STATE // 2,
            tile=ROWS * EACH,
            loads="\n".join(LOAD.format(q=q, t=t, rows=ROWS) for q in each),
            stores="\n".join(STORE.format(q=q) for q in each),
            needs_triangle=True,
        )
        triangle = shaders.written("triangle", TRIANGLE, held, 256, needs_triangle=True)
        copy = Writer(request, abilities).program(
            "copy", COPY, source | shaders.arrays, scratch="", order=""
        )
        return (
            copy,
            column,
            shaders.product(),
            triangle,
            shaders.turn(turned=True),
            shaders.update(),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Block after block."""
        rows, columns, _ = dispatch.extents
        check(min(rows, columns))
        result: Any = dispatch.outputs[0]
        scratch = result.dtype.size * max(STATE, reflectors.scratch(columns))
        if scratch > limit:
            raise Unsupported(f"factors of {columns} columns")
        copy, column, product, triangle, turn, update = stages
        count = rows * columns
        yield copy, Launch(parameter_words(dispatch, count), spread(-(-count // 256)))
        for start in range(0, min(rows, columns), BLOCK):
            width = min(BLOCK, min(rows, columns) - start)
            groups = min(GROUPS, -(-(rows - start) // (ROWS * EACH)))

            def words(*more: int, at: int = start, wide: int = width) -> list[int]:
                return parameter_words(dispatch, count, (at, wide, *more))

            yield column, Launch(words(0, groups, 0), (groups, 1, 1), scratch)
            for j in range(width):
                yield column, Launch(words(j, groups, 1), (groups, 1, 1), scratch)
            rest = columns - start
            parts = reflectors.pieces(rows - start, rest)
            first, second, third = reflectors.workgroup_counts(rows - start, rest, width)
            yield product, Launch(words(start, rest, parts), first, scratch)
            yield triangle, Launch(words(start, rest, parts), (1, 1, 1), scratch)
            if rest > width:
                yield turn, Launch(words(start, rest, parts), second, scratch)
                yield update, Launch(words(start, rest, parts), third, scratch)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Arithmetic as of products; about 20 operations per ns on the host."""
        columns = max(1.0, points / max(1, lines))
        sums = 2 * points * columns
        moved = int(points * columns / BLOCK) * 3 * request.inputs[0].size
        return Effort(moved, int(sums), sums / 20)


def _triangles(packed: Any, tau: Any) -> Any:
    """The triangles of all blocks."""
    count = min(packed.shape)
    found = np.zeros((BLOCK, count), packed.dtype, order="F")
    for start in range(0, count, BLOCK):
        width = min(BLOCK, count - start)
        v = np.tril(packed[start:, start : start + width], -1)
        v[np.arange(width), np.arange(width)] = 1.0
        gram = v.T @ v
        for j in range(width):
            at = start + j
            before = found[:j, start : start + j]
            found[:j, at] = -tau[at] * (before @ gram[:j, j])
            found[j, at] = tau[at]
    return found


QR = _QR()
