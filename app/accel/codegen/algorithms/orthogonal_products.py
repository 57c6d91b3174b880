"""A matrix times the orthogonal factor that `householder` left as reflections, or its transpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms import reflectors
from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.blocks import BLOCK
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

COPY = wgsl_template("orthogonal_products/copy")


class _Reflected(Algorithm):
    """``qr_apply`` of reflections, their triangles and a matrix; attrs say whether Q is
    transposed, and whether the matrix is the identity's first columns."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns of the factored matrix."""
        del attrs
        return shape[0], shape[1], 1

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """The attrs."""
        del shape
        return (("turned", int(bool(attrs[0]))), ("identity", int(bool(attrs[1]))))

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """LAPACK's."""
        from scipy import linalg

        packed: Any = operands[0].reshape(extents[:2], order="F")
        count = min(packed.shape)
        triangles: Any = operands[1].reshape((BLOCK, count), order="F")
        tau = triangles[np.arange(count) % BLOCK, np.arange(count)]
        c: Any = operands[2].reshape((extents[0], -1), order="F")
        apply = linalg.lapack.get_lapack_funcs("ormqr", (packed,))
        side, way = "L", "T" if options["turned"] else "N"
        space = int(apply(side, way, packed[:, :count], tau, c, -1)[1][0])
        return [apply(side, way, packed[:, :count], tau, c, space)[0].reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Copy; per block: product, multiplication by its triangle, update."""
        shaders = Reflectors(request, abilities, "in0", "in1")
        source = {Binding(Role.INPUT, 2): layout.entries(request.inputs[2], False)}
        target = {Binding(Role.OUTPUT, 0, writable=True): shaders.t}
        copy = Writer(request, abilities).program("copy", COPY, source | target, scratch="")
        turned = bool(dict(request.attrs)["turned"])
        return copy, shaders.product(), shaders.turn(turned=turned), shaders.update()

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Blocks forward for the transpose, backward for Q."""
        rows, columns, _ = dispatch.extents
        options = dict(dispatch.pipeline.request.attrs)
        result: Any = dispatch.outputs[0]
        width = result.count // rows
        scratch = result.dtype.size * reflectors.scratch(width)
        if scratch > limit:
            raise Unsupported(f"products of {width} columns")
        copy, *others = stages
        words = parameter_words(dispatch, result.count)
        yield copy, Launch(words, spread(-(-result.count // 256)))
        starts = range(0, min(rows, columns), BLOCK)
        for start in starts if options["turned"] else reversed(starts):
            wide = min(BLOCK, min(rows, columns) - start)
            first = start if options["identity"] else 0
            rest = width - first
            parts = reflectors.pieces(rows - start, rest)
            groups = reflectors.workgroup_counts(rows - start, rest, 0)
            for stage, count in zip(others, groups, strict=True):
                words = parameter_words(dispatch, result.count, (start, wide, first, rest, parts))
                yield stage, Launch(words, count, scratch)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """As the factors took."""
        columns = max(1.0, points / max(1, lines))
        sums = 2 * points * columns
        moved = int(points * columns / BLOCK) * 3 * request.inputs[0].size
        return Effort(moved, int(sums), sums / 20)


REFLECTED = _Reflected()
