"""Solving with the factors of a matrix: rows in the factors' order, then both triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort
from app.accel.codegen.algorithms.blocks import BLOCK, MOST_THIN, OUTPUT, SIDE, Blocks, across
from app.accel.codegen.algorithms.factors import Square
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

ARRANGE = wgsl_template("solve/arrange")


class _Solve(Square):
    """``lu_solve`` of both factors, their order and the right sides."""

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """LAPACK's."""
        from scipy import linalg

        factors: Any = operands[0].reshape(extents[:2], order="F")
        order: Any = operands[1].reshape(-1).astype(np.intp) - 1
        right: Any = operands[2].reshape((extents[0], -1), order="F")[order]
        upper = linalg.lapack.get_lapack_funcs("trtrs", (factors,))

        def solve(part: Array) -> Array:
            half = linalg.solve_triangular(
                factors, part, lower=True, unit_diagonal=True, check_finite=False
            )
            return np.asarray(upper(factors, half)[0])

        found = nogil_linalg.in_strips(solve, extents[0], right)
        return [np.asarray(found, right.dtype).reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Arrange; solve with a lower and an upper block; take a product off the other rows."""
        blocks = Blocks(request, abilities, "in0")
        sources = {Binding(Role.INPUT, 1): "f64", Binding(Role.INPUT, 2): blocks.t}
        return (
            blocks.program("arrange", ARRANGE, sources | {OUTPUT: blocks.t}, scratch=""),
            blocks.solved("lower", upper=False, unit=True),
            blocks.solved("upper", upper=True, unit=False),
            blocks.taken_off_thin("thin product"),
            blocks.taken_off("product"),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Down the lower triangle, up the upper one."""
        del limit
        n = dispatch.extents[0]
        result: Any = dispatch.outputs[0]
        sides = result.count // n
        arrange, lower, upper, thin, product = stages
        first = parameter_words(dispatch, result.count)
        yield arrange, Launch(first, spread(-(-result.count // 256)))
        for stage, starts in (
            (lower, range(0, n, BLOCK)),
            (upper, range((n - 1) // BLOCK * BLOCK, -1, -BLOCK)),
        ):
            for start in starts:
                width = min(BLOCK, n - start)
                row, rows = (start + width, n - start - width) if stage is lower else (0, start)
                words = parameter_words(dispatch, n * n, (start, width, sides, row, rows))
                yield stage, Launch(words, spread(-(-sides // SIDE)))
                if rows and sides <= MOST_THIN:
                    yield thin, Launch(list(words), spread(-(-rows * sides // 256)))
                elif rows:
                    yield product, Launch(list(words), across(rows, sides))

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Both triangles once; many right sides are as many more."""
        return Effort(points * request.inputs[0].size, 2 * points, 0.5 * points)


SOLVE = _Solve()
