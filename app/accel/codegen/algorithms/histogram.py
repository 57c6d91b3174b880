"""How many numbers lie in each bin: every workgroup counts on its own, then all are added up.

Bins are ``[a, b)``, the last one ``[a, b]``; NaN lies in none. Few bins are counted several times
side by side in workgroup memory, so that lanes seldom wait for each other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort, ElementsAlgorithm
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer, raw
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.dtypes import DType
from app.accel.numerics import bin_counts
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

MOST_BINS = 1024
MOST_GROUPS = 1024

SHARED = wgsl_text("histogram/shared")
TAKE = wgsl_template("histogram/take")
CLEAR = wgsl_template("histogram/clear")
COUNT = wgsl_template("histogram/count")
FINISH = wgsl_template("histogram/finish")


class _Histogram(ElementsAlgorithm):
    """The one algorithm of this module."""

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """Counts by searching the edges."""
        del ops, extents, options
        data, edges = (operand.reshape(-1, order="F") for operand in operands)
        return [bin_counts.counts_of(data, edges.astype(np.float64)).astype(np.float64)]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Clear, count, finish."""
        if not request.inputs[0].is_float:
            raise Unsupported(f"histograms of {request.inputs[0].label}")
        writer = Writer(request, abilities)
        data, edges = Binding(Role.INPUT, 0), Binding(Role.INPUT, 1)
        output = Binding(Role.OUTPUT, 0, writable=True)
        if request.inputs[0] is DType.F64:
            size = "(bits.y & 0x7fffffffu)"
            missing = f"{size} > 0x7ff00000u || ({size} == 0x7ff00000u && bits.x != 0u)"
            value = "bitcast<f64>(u64(bits.x) | (u64(bits.y) << 32u))"
        else:
            missing = "(bits & 0x7fffffffu) > 0x7f800000u"
            value = "f64(bitcast<f32>(bits))"
        inputs = {data: raw(request.inputs[0]), edges: layout.entries(DType.F64, False)}
        take = TAKE.format(raw=raw(request.inputs[0]), missing=missing, value=value)
        counters = "atomic<u32>"
        result = {output: layout.entries(DType.F64, False)}
        return (
            writer.program("clear", CLEAR, {}, scratch=counters),
            writer.program("count", COUNT, inputs, SHARED + take, scratch=counters),
            writer.program("finish", FINISH, result, scratch=counters),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Each workgroup counts every so many elements."""
        del limit
        result: Any = dispatch.outputs[0]
        count, bins = math.prod(dispatch.extents), result.count
        if bins > MOST_BINS:
            raise Unsupported(f"a histogram of {bins} bins; {MOST_BINS} at most are counted")
        groups = min(MOST_GROUPS, -(-count // (4 * WORKGROUP)))
        few = -(-bins // WORKGROUP)
        words = (0, bins, min(32, MOST_BINS // bins), groups)
        for stage, number in zip(stages, (few, groups, few), strict=True):
            yield stage, Launch(parameter_words(dispatch, count, words), spread(number), 4 * bins)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every element once; about 15 ns per element with NumPy."""
        del lines
        return Effort(points * request.inputs[0].size, points * 60, 15.0 * points)


HISTOGRAM = _Histogram()
