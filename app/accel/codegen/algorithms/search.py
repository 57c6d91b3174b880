"""Where numbers belong in a sorted line: how many of its elements come before each, by bisection.

Order and ties are those of `sort`: NaN comes last, both zeros are equal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort, ElementsAlgorithm, held
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, raw
from app.accel.codegen.algorithms.sort_shaders import INPUT, Shaders
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

KEY = wgsl_template("search/key")
BISECT = wgsl_template("search/bisect")


class _Search(ElementsAlgorithm):
    """``search`` of numbers in a sorted line of their type; attrs: whether equals come before."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """Keys are ascending."""
        del shape
        return ("descending", 0), ("equals", int(bool(attrs[0])))

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """NumPy's search, whose order is the same."""
        del ops, extents
        queries, line = (operand.reshape(-1, order="F") for operand in operands)
        found = np.searchsorted(line, queries, "right" if options["equals"] else "left")
        return [found.astype(np.float64)]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """One shader."""
        writer = Shaders(request, abilities)
        # A line may be searched for its own elements.
        line = Binding(Role.INPUT, len(request.inputs) - 1)
        key = "\n".join(f"    {statement}" for statement in writer.key_statements())
        high = "0u" if writer.keys == 1 else "high"
        other = key.replace("in0", f"in{line.number}")
        functions = KEY.format(name="query", key=key, high=high)
        functions += KEY.format(name="line", key=other, high=high)
        output = Binding(Role.OUTPUT, 0, writable=True)
        bindings = {INPUT: raw(writer.dtype), line: raw(writer.dtype)}
        bindings[output] = layout.entries(request.reductions[0].dtype, False)
        compared = "<=" if dict(request.attrs)["equals"] else "<"
        return (writer.program("search", BISECT, bindings, functions, "", compared=compared),)

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """A lane per number."""
        del limit
        count, inputs = math.prod(dispatch.extents), dispatch.inputs
        line = held(inputs[-1])
        if line.count >= 1 << 31:
            raise Unsupported(f"a search in {line.count} elements")
        words = parameter_words(dispatch, count, (0, line.count))
        yield stages[0], Launch(words, spread(-(-count // WORKGROUP)))

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every number once, the line mostly from caches; about 60 ns per number with NumPy."""
        del lines
        return Effort(points * (request.inputs[0].size + 8), points * 200, 60.0 * points)


SEARCH = _Search()
