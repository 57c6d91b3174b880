"""The Cholesky factor of a matrix, in blocks of 32 columns.

A block is factored in registers, the block row is solved for, and its product is taken off the
rows of the next blocks; that of four block rows off all others (Golub and Van Loan, "Matrix
computations", 4.2). A matrix that is not positive definite leaves NaN in the last place, and
whoever asked looks there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.blocks import BLOCK, OUTPUT, SIDE, Blocks, across
from app.accel.codegen.algorithms.factors import COPY, Square, check
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.numerics import nogil_linalg

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

DEEP = 128
"""Rows of factors that are taken off the rest together."""
# A lane has a column; the others learn of its row from workgroup memory.
DIAGONAL = wgsl_template("cholesky/diagonal")
CLEAN = wgsl_template("cholesky/clean")


class _Cholesky(Square):
    """``cholesky``: the upper factor R with R'R = A, from A's upper triangle."""

    share = 1 / 3

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """LAPACK's; NaN in the last place where the matrix is not positive definite."""
        a: Any = operands[0].reshape(extents[:2], order="F")
        factor, info = nogil_linalg.cholesky(a)
        if info:
            factor[-1, -1] = np.nan
        return [factor.reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Copy; per block: its own factor, the block row, the product; zeros below."""
        blocks = Blocks(request, abilities)
        t = blocks.t
        source = {Binding(Role.INPUT, 0): layout.entries(request.inputs[0], False)}
        held = f"var<workgroup> row: array<{t}, {BLOCK}>;\nvar<workgroup> root: {t};\n"
        return (
            blocks.program("copy", COPY, source | {OUTPUT: t}, scratch="", order=""),
            blocks.program(
                "diagonal",
                DIAGONAL,
                {OUTPUT: t},
                held,
                scratch="",
                size=BLOCK,
                steps=_diagonal_lines(t),
            ),
            blocks.solved("row", upper=False, unit=False, turned=True),
            blocks.taken_off("product", turned=True),
            blocks.program("clean", CLEAN, {OUTPUT: t}, scratch="", t=t),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Block after block."""
        del limit
        n = dispatch.extents[0]
        check(n)
        copy, diagonal, row, product, clean = stages
        everything = Launch(parameter_words(dispatch, n * n), spread(-(-n * n // 256)))
        yield copy, everything
        for start in range(0, n, BLOCK):
            width = min(BLOCK, n - start)
            rest = n - start - width
            words = parameter_words(dispatch, n * n, (start, width, rest, start + width, rest))
            yield diagonal, Launch(words, (1, 1, 1))
            if not rest:
                continue
            yield row, Launch(words, spread(-(-rest // SIDE)))
            first = start // DEEP * DEEP
            end, after = min(first + DEEP, n), start + width
            if after < end:  # of the rows below only those that are factored next
                more = (start, width, rest, after, end - after)
                yield (
                    product,
                    Launch(parameter_words(dispatch, n * n, more), across(end - after, rest)),
                )
            else:
                deep = (first, end - first, rest, after, rest)
                yield product, Launch(parameter_words(dispatch, n * n, deep), across(rest, rest))
        yield clean, Launch(parameter_words(dispatch, n * n), everything.groups)


def _diagonal_lines(t: str) -> str:
    """The factor of a block, a column per lane; what lies outside the matrix is the unit's."""
    each = range(BLOCK)
    lines = [
        f"    var x{i} = select({t}(), {t}(1.0), lane == {i}u); "
        f"if ({i}u < width && lane < width) {{ x{i} = out0[at + {i}u]; }}"
        for i in each
    ]
    for j in each:
        lines += [
            f"    if (lane == {j}u) {{ x{j} = sqrt(x{j}); root = x{j}; }}",
            "    workgroupBarrier();",
            f"    if (lane > {j}u) {{ x{j} = x{j} / root; }}",
            f"    row[lane] = x{j};",
            "    workgroupBarrier();",
        ]
        lines += [f"    x{i} = fma(-row[{i}u], x{j}, x{i});" for i in each[j + 1 :]]
    lines += [f"    if ({i}u <= lane && lane < width) {{ out0[at + {i}u] = x{i}; }}" for i in each]
    return "\n".join(lines)


CHOLESKY = _Cholesky()
