"""Elements set by place: ``x(places) = values``, where the last of equal places wins.

Every value claims its place with the largest number (its own, from 1), so that the winner does not
depend on the order in which a device works; then each element takes the value that claimed it,
or stays.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort, ElementsAlgorithm
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer, indent, raw
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

CLEAR = wgsl_template("scatter/clear")
CLAIM = wgsl_template("scatter/claim")
WRITE = wgsl_template("scatter/write")


class _Scatter(ElementsAlgorithm):
    """``scatter`` of a base, places from 0, and one value or as many as there are places."""

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """NumPy assigns in order, so that the last one stays."""
        del ops, extents, options
        base, places, values = (operand.reshape(-1, order="F") for operand in operands)
        # Guarded values that left the real domain are complex here.
        result = base.astype(np.result_type(base, values))
        result[places.astype(np.intp)] = values
        return [result]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Clear, claim, write."""
        if request.inputs[1] is not DType.I64:
            raise Unsupported(f"places of type {request.inputs[1].label}")
        writer = Writer(request, abilities)
        dtype = request.reductions[0].dtype
        base, places = Binding(Role.INPUT, 0), Binding(Role.INPUT, 1)
        # One operand may be both what is written to and what is written.
        number = 2 if len(request.inputs) > 2 else 0
        values = Binding(Role.INPUT, number)
        output, entry = writer.target(0, dtype)
        claims = "atomic<u32>"
        kept = writer.moved(0, dtype, "k", "k")
        taken = writer.moved(0, dtype, "k", "from_value", f"in{number}")
        return (
            writer.program("clear", CLEAR, {}, scratch=claims),
            writer.program("claim", CLAIM, {places: raw(DType.I64)}, scratch=claims),
            writer.program(
                "write",
                WRITE,
                {base: raw(dtype), values: raw(dtype), output: entry},
                scratch=claims,
                kept=indent([f"    {line}" for line in kept]),
                taken=indent([f"    {line}" for line in taken]),
            ),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """One after another."""
        count = math.prod(dispatch.extents)
        if 4 * count > limit:
            raise Unsupported(f"the claims of {count} elements do not fit into one binding")
        inputs: Any = dispatch.inputs
        places, values = inputs[1].count, inputs[2 if len(inputs) > 2 else 0].count
        words = (0, places, values - 1)
        groups = (-(-count // WORKGROUP), -(-places // WORKGROUP), -(-count // WORKGROUP))
        for stage, number in zip(stages, groups, strict=True):
            yield stage, Launch(parameter_words(dispatch, count, words), spread(number), 4 * count)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Base and result once, the claims three times; about 1 ns per element with NumPy."""
        del lines
        size = request.outputs[0].size
        return Effort(points * (2 * size + 12), points * 12, 1.0 * points)


SCATTER = _Scatter()
