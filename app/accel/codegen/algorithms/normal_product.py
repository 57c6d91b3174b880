"""``A' * (A * v - b)``: a matrix too large for caches is read once, not once for each product.

A workgroup walks over blocks of neighbouring rows. Its teams, of a lane for each row, share the
columns; once the products of a block's rows are there, the block is read again, from the nearest
cache, and added to sums that stay in registers, one for each row of a block and column. A second
shader adds these up, always in the same order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

ROWS = 32
"""Rows of a block: neighbours that memory hands out together."""
OWN = 32
"""Columns of a lane, whose sums are registers; twice as many singles where a workgroup would not
have its lanes otherwise."""
LEAST_TEAMS, LANES = 8, 512
FEWEST_COLUMNS, MOST_COLUMNS = 128, 1024
FEWEST_ELEMENTS = 1 << 24
"""From here on a matrix is read from memory twice by two products."""
WALKING = 1 << 17
"""Lanes of all workgroups."""

WALK = wgsl_template("normal_product/walk")
FINISH = wgsl_template("normal_product/finish")


def fits(shape: Shape) -> bool:
    """Whether a matrix is worth it."""
    columns = shape[1]
    return FEWEST_COLUMNS <= columns <= MOST_COLUMNS and math.prod(shape) >= FEWEST_ELEMENTS


class _NormalProduct(Algorithm):
    """``normal_product`` of a matrix, a column, and perhaps a column that is taken away."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns."""
        del attrs
        return shape[0], shape[1], 1

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """How many columns there are."""
        del attrs
        return (("columns", shape[1]),)

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """Two products."""
        del ops, options
        matrix = operands[0].reshape(extents[:2], order="F")
        column, *taken = (operand.reshape(-1, order="F") for operand in operands[1:])
        product = np.matmul(matrix, column)
        product = np.subtract(product, taken[0]) if taken else product
        return [np.matmul(matrix.T, product)]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """The walk over the rows, and the sums of all workgroups."""
        dtype = request.reductions[0].dtype
        columns = dict(request.attrs)["columns"]
        teams, rows = _block(columns, dtype.size)
        size, t = teams * rows, layout.register(dtype)
        if size > abilities.workgroup_lanes:
            raise Unsupported(f"workgroups of {size} invocations")
        writer = Writer(request, abilities)
        own = range(-(-columns // teams))
        inputs = {Binding(Role.INPUT, k): t for k in range(len(request.inputs))}
        walk = writer.program(
            "walk",
            WALK,
            inputs,
            f"var<workgroup> parts: array<{t}, {size}>;\n"
            f"var<workgroup> held: array<{t}, {columns}>;",
            scratch=t,
            size=size,
            t=t,
            rows=rows,
            columns=columns,
            teams=teams,
            sums="\n".join(f"    var s{k} = {t}();" for k in own),
            products=_each(own, teams, columns, "product = fma({a}, held[{c}], product);"),
            offset="value = value - in2[at];" if len(request.inputs) > 2 else "",
            updates=_each(own, teams, columns, "s{k} = fma({a}, value, s{k});"),
            stores=_each(
                own,
                teams,
                columns,
                f"scratch[(number * {columns}u + {{c}}) * {rows}u + lane % {rows}u] = s{{k}};",
            ),
        )
        output = {Binding(Role.OUTPUT, 0, writable=True): t}
        tree = f"var<workgroup> tree: array<{t}, {WORKGROUP}>;"
        finish = writer.program(
            "finish", FINISH, output, tree, scratch=t, t=t, rows=rows, columns=columns
        )
        return walk, finish

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """So many workgroups walk over the rows, then one for each column."""
        del limit
        m, n, _ = dispatch.extents
        size = dispatch.pipeline.request.reductions[0].dtype.size
        teams, rows = _block(n, size)
        groups = min(WALKING // (teams * rows), -(-m // rows))
        words = parameter_words(dispatch, m * n, (0, groups))
        scratch = groups * n * rows * size
        for stage, number in zip(stages, (groups, n), strict=True):
            yield stage, Launch(words, spread(number), scratch)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """The matrix once; twice on the host, at the speed of memory."""
        del lines
        size = request.inputs[0].size
        return Effort(points * size, points * 4, 0.2 * points * size)


def _block(columns: int, size: int) -> tuple[int, int]:
    """The teams of a workgroup, and the rows of its blocks."""
    teams = max(LEAST_TEAMS, 1 << (-(-columns // OWN) - 1).bit_length())
    if size == 4:
        teams = min(teams, LANES // ROWS)
    return teams, min(ROWS, LANES // teams)


def _each(own: range, teams: int, columns: int, statement: str) -> str:
    """A statement for each column of a lane: ``c``, and ``a`` of it in the lane's row."""
    lines = []
    for k in own:
        column = f"team + {k * teams}u"
        text = statement.format(k=k, c=column, a=f"in0[at + ({column}) * m]")
        inside = (k + 1) * teams <= columns
        lines.append(f"    {text}" if inside else f"    if ({column} < {columns}u) {{ {text} }}")
    return "\n".join(lines)


NORMAL_PRODUCT = _NormalProduct()
