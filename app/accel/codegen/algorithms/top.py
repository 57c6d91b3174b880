"""The first few of each line in sorted order, without sorting the line: ``mink`` and ``maxk``.

A workgroup has a line. Each lane keeps the first few of the elements it meets, and then the lanes'
first elements are compared as often as results are wanted. Order and ties are those of `sort`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, indent, raw
from app.accel.codegen.algorithms.sort_shaders import INPUT, Shaders
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.numerics import host_sort

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

MOST = 16
"""Results per line at most: a lane keeps as many in its registers."""

SHARED = wgsl_template("top/shared")
TOP = wgsl_template("top/top")


class _Top(Algorithm):
    """``top`` and ``top_index``; attrs: axis, whether the largest come first, how many."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """The order and the number of results per line."""
        del shape
        return ("descending", int(bool(attrs[1]))), ("count", int(str(attrs[2])))

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """The beginning of the sorted lines."""
        inner, n, outer = extents
        lines = operands[0].reshape(-1, order="F").reshape((outer, n, inner))
        order = host_sort.sort_order(lines, 1, descending=bool(options["descending"]))
        order = order[:, : options["count"]]
        results: dict[str, Array] = {
            "top": np.take_along_axis(lines, order, axis=1),
            "top_index": order + 1.0,
        }
        return [results[op].reshape(-1) for op in ops]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """One shader for all lines."""
        writer = Shaders(request, abilities)
        most = dict(request.attrs)["count"]
        bindings: dict[Binding, str] = {INPUT: raw(writer.dtype)}
        stores: list[str] = []
        for k, result in enumerate(request.reductions):
            output, entry = writer.target(k, result.dtype)
            if result.op == "top":
                bindings[output] = entry
                stores += writer.moved(k, writer.dtype, "to", "at")
            else:
                bindings[output] = layout.entries(result.dtype, False)
                stores.append(f"out{k}[to] = f64(found + 1u);")
        shared = SHARED.format(
            size=WORKGROUP,
            key=indent(writer.key_statements()),
            high="0u" if writer.keys == 1 else "high",
        )
        made = writer.program(
            "top",
            TOP,
            bindings,
            shared,
            "",
            most=most,
            last_kept=most - 1,
            stores=indent([f"        {line}" for line in stores]),
        )
        return (made,)

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """A workgroup per line."""
        del limit
        inner, n, outer = dispatch.extents
        words = parameter_words(dispatch, inner * n * outer, (0, inner * outer))
        yield stages[0], Launch(words, spread(inner * outer))

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every element once; the host sorts."""
        doublings = max(1.0, math.log2(max(2, points // max(1, lines))))
        return Effort(points * request.inputs[0].size, points * 20, 1.6 * points * doublings)


TOP_FEW = _Top()
