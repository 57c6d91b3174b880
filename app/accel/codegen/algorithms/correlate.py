"""A matrix correlated with a kernel: sums of neighbours with the kernel's weights.

A workgroup has a tile of the result. Part after part of the kernel, what it needs of the matrix is
brought to workgroup memory, with zeros beyond the edges; every weight is then used by all lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.convolution import correlate
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

OWN = 8
NAMES = ("above", "left", "rows", "columns", "height", "width")


class Tiling(NamedTuple):
    """How a tile is walked.

    Attributes:
        rows, columns: lanes along each dimension.
        down, across: how far the results of a lane lie apart.
        height, width: the part of the kernel that is taken at a time.
    """

    rows: int
    columns: int
    down: int
    across: int
    height: int
    width: int

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of a tile."""
        return (self.rows + (OWN - 1) * self.down, self.columns + (OWN - 1) * self.across)


MATRIX, COLUMN = Tiling(32, 8, 0, 8, 16, 16), Tiling(256, 1, 256, 0, 256, 1)
TAKEN = wgsl_template("correlate/taken")


class _Correlate(Algorithm):
    """``correlate`` of a matrix and a kernel; attrs: rows above and columns left of the matrix
    where the result begins, the result's size and the kernel's."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns."""
        del attrs
        return shape[0], shape[1], 1

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """The attrs."""
        del shape
        return tuple((name, int(str(v))) for name, v in zip(NAMES, attrs, strict=True))

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """What convolutions on the host are."""
        above, left, rows, columns, height, width = (options[name] for name in NAMES)
        x: Any = operands[0].reshape(extents[:2], order="F")
        kernel = operands[1].reshape((height, width), order="F")
        below = max(0, rows + height - 1 - above - x.shape[0])
        right = max(0, columns + width - 1 - left - x.shape[1])
        wide = np.pad(x, ((above, below), (left, right)))
        wide = wide[: rows + height - 1, : columns + width - 1]
        return [np.asarray(correlate(wide, kernel), x.dtype).reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Tiles of a matrix, and of a column."""
        if not request.inputs[0].is_float or request.inputs[0] is not request.inputs[1]:
            raise Unsupported(f"sums of neighbours of {request.inputs[0].label}")
        return tuple(self._program(request, abilities, way) for way in (MATRIX, COLUMN))

    @staticmethod
    def _program(request: KernelRequest, abilities: Abilities, way: Tiling) -> Program:
        t = layout.register(request.inputs[0])
        tall, broad = way.size
        stride = tall + way.height - 1
        held = stride * (broad + way.width - 1)
        each = range(OWN)
        stores = []
        for k in each:
            i, j = f"here + x + {k * way.down}u", f"there + y + {k * way.across}u"
            stores.append(
                f"    if ({i} < rows && {j} < columns) {{ out0[({j}) * rows + {i}] = s{k}; }}"
            )
        shared = (
            f"var<workgroup> held: array<{t}, {held}>;\n"
            f"var<workgroup> weights: array<{t}, {way.height * way.width}>;\n"
        )
        bindings = {Binding(Role.INPUT, k): t for k in range(2)}
        return Writer(request, abilities).program(
            f"tile {tall} {broad}",
            TAKEN,
            bindings | {Binding(Role.OUTPUT, 0, writable=True): t},
            shared,
            scratch="",
            t=t,
            tall=tall,
            broad=broad,
            lanes=way.rows,
            stride=stride,
            held=held,
            part_height=way.height,
            part_width=way.width,
            sums="\n".join(f"    var s{k} = {t}();" for k in each),
            products="\n".join(
                f"                    s{k} = fma(weight, "
                f"held[at + {k * (way.down + way.across * stride)}u], s{k});"
                for k in each
            ),
            stores="\n".join(stores),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """One launch."""
        del limit
        given = dict(dispatch.pipeline.request.attrs)
        above, left, rows, columns, height, width = (given[name] for name in NAMES)
        column = columns == 1 and width == 1
        tall, broad = (COLUMN if column else MATRIX).size
        words = (above | left << 16, rows, columns, height, width)
        groups = spread(-(-rows // tall) * -(-columns // broad))
        yield stages[column], Launch(parameter_words(dispatch, rows * columns, words), groups)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every element once for each weight; about 0.3 ns in products of matrices."""
        del lines
        given = dict(request.attrs)
        taps = given["height"] * given["width"]
        return Effort(2 * points * request.inputs[0].size, points * taps, 0.3 * points * taps)


CORRELATE = _Correlate()

assert WORKGROUP == MATRIX.rows * MATRIX.columns == COLUMN.rows
