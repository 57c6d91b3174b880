"""Least squares of few columns and many rows, which are read once.

Every lane takes its rows, one after the other, into a triangle R of its own by plane rotations
(Golub and Van Loan, "Matrix computations", 5.1.8), so that nothing is squared; lanes, then
workgroups merge their triangles in pairs. The last lane factors what is left with the longest
column first, as LAPACK's `geqp3` does, and columns that depend on others get zeros. The result of
A (m x n) and B (m x s) is n x (s + 1): the solutions, and in the last column the rank and zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.shader_parts import Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.numerics.pivoted_factors import PivotedFactors
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

SHARED = 16384
"""Bytes of workgroup memory that every adapter has."""
MOST_LANES = 128
MOST_GROUPS = 512
OWN = 8
"""Rows of a lane, at least, where there are several workgroups."""
FUNCTIONS = wgsl_template("least_squares/functions")
TREE = wgsl_template("least_squares/tree")
WALK = wgsl_template("least_squares/walk")
FINISH = wgsl_template("least_squares/finish")


def _lanes(columns: int, wide: int, size: int) -> int:
    """Lanes of a workgroup: half of their triangles are in its memory."""
    lanes = MOST_LANES
    while lanes // 2 * columns * wide * size > SHARED:
        lanes //= 2
    return lanes


class _LeastSquares(Algorithm):
    """The one algorithm of this module; attrs are the columns of both operands."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns."""
        del attrs
        return shape[0], shape[1], 1

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """Columns of both operands."""
        del shape
        return tuple(
            (name, int(str(n))) for name, n in zip(("columns", "sides"), attrs, strict=True)
        )

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """LAPACK's."""
        del ops
        a, b = (operand.reshape((extents[0], -1), order="F") for operand in operands)
        factors = PivotedFactors(a, b)
        found = factors.solution(factors.rank)
        last = np.zeros((options["columns"], 1), found.dtype)
        last[0] = factors.rank
        return [np.hstack([found, last]).reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """The walk over the rows, and what is made of all workgroups' triangles."""
        dtype, options = request.inputs[0], dict(request.attrs)
        if not dtype.is_float:
            raise Unsupported(f"least squares of {dtype.label}")
        t, columns = layout.register(dtype), options["columns"]
        wide = columns + options["sides"]
        size = _lanes(columns, wide, dtype.size)
        tree = TREE.format(size=size, columns=columns, wide=wide)
        functions = FUNCTIONS.format(t=t, columns=columns, wide=wide, **_triangle(columns, wide, t))
        shared = f"var<workgroup> held: array<{t}, {size // 2 * columns * wide}>;\n"
        writer = Writer(request, abilities, functions)
        sources = [f"in0[{k}u * rows + row]" for k in range(columns)]
        sources += [f"in1[{k}u * rows + row]" for k in range(options["sides"])]
        fetched = "\n".join(f"        x[{k}] = {source};" for k, source in enumerate(sources))
        walk = writer.program(
            "walk",
            WALK,
            {Binding(Role.INPUT, k): t for k in range(2)},
            shared,
            scratch=t,
            size=size,
            tree=tree,
            fetched=fetched,
            columns=columns,
            wide=wide,
        )
        output = {Binding(Role.OUTPUT, 0, writable=True): t}
        eps = f"{t}({2.0**-52 if dtype.size == 8 else 2.0**-23!r})"
        finish = writer.program(
            "finish",
            FINISH,
            output,
            shared,
            scratch=t,
            size=size,
            tree=tree,
            t=t,
            eps=eps,
            columns=columns,
            sides=options["sides"],
            wide=wide,
        )
        return walk, finish

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """So many workgroups, then one."""
        del limit
        request = dispatch.pipeline.request
        options, each = dict(request.attrs), request.inputs[0].size
        rows, columns, _ = dispatch.extents
        wide = columns + options["sides"]
        lanes = _lanes(columns, wide, each)
        groups = max(1, min(MOST_GROUPS, rows // (lanes * OWN)))
        words = parameter_words(dispatch, rows * columns, (groups,))
        for stage, number in zip(stages, (groups, 1), strict=True):
            yield stage, Launch(list(words), spread(number), groups * columns * wide * each)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """A rotation for each element."""
        del lines
        wide = sum(dict(request.attrs).values())
        return Effort(2 * points * request.inputs[0].size, points * (30 + 6 * wide), 4.0 * points)


def _triangle(columns: int, wide: int, t: str) -> dict[str, str]:
    """R in registers: what is declared, how a row is taken in, and how it goes to memory."""
    places = [(r, c) for r in range(columns) for c in range(r, wide)]
    lines = []
    for r in range(columns):
        lines.append(f"    if (!(x[{r}] == {t}())) {{")  # NaN is none
        lines.append(f"        let turn = rotation(r{r}_{r}, x[{r}]);")
        lines.append(f"        r{r}_{r} = turn[2];")
        for c in range(r + 1, wide):
            lines.append(f"        let u{c} = r{r}_{c};")
            lines.append(f"        r{r}_{c} = fma(turn[0], u{c}, turn[1] * x[{c}]);")
            lines.append(f"        x[{c}] = fma(turn[0], x[{c}], -turn[1] * u{c});")
        lines.append("    }")
    known = set(places)
    return {
        "declared": "\n".join(f"var<private> r{r}_{c}: {t} = {t}();" for r, c in places),
        "rotations": "\n".join(lines),
        "kept": "\n".join(
            f"    held[at + {r * wide + c}u] = {f'r{r}_{c}' if (r, c) in known else f'{t}()'};"
            for r in range(columns)
            for c in range(wide)
        ),
    }


LEAST_SQUARES = _LeastSquares()
