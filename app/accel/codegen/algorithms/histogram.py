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
from app.accel.ir.dtypes import DType
from app.accel.numerics import host_sort
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
BLOCK = 1 << 15
"""Elements that the host counts at a time."""

SHARED = """\
var<workgroup> bins: array<atomic<u32>, 1024>;
var<workgroup> limits: array<f64, 1025>;
"""
TAKE = """\
// The bin is guessed as if all were equally wide, and searched where that is wrong.
fn take(bits: {raw}, mine: u32, count: u32, scale: f32) {{
    if ({missing}) {{ return; }}
    let value = {value};
    if (value < limits[0] || value > limits[count]) {{ return; }}
    var low = min(u32(clamp(f32(value - limits[0]) * scale, 0.0, 65536.0)), count - 1u);
    if (value < limits[low] || (value >= limits[low + 1u] && low + 1u < count)) {{
        low = 0u; var high = count;
        while (high - low > 1u) {{
            let middle = (low + high) / 2u;
            if (value < limits[middle]) {{ high = middle; }} else {{ low = middle; }}
        }}
    }}
    atomicAdd(&bins[mine + low], 1u);
}}
"""
CLEAR = """\
    let k = number * {size}u + lane;
    if (k < p[1].x) {{ atomicStore(&scratch[k], 0u); }}
}}"""
COUNT = """\
    let count = p[1].x; let copies = p[1].y;
    for (var k = lane; k < 1024u; k = k + {size}u) {{ atomicStore(&bins[k], 0u); }}
    for (var k = lane; k <= count; k = k + {size}u) {{ limits[k] = in1[k]; }}
    workgroupBarrier();
    let mine = (lane % copies) * count;
    let scale = f32(count) / f32(limits[count] - limits[0]);
    let step = {size}u * p[1].z;
    var i = number * {size}u + lane;
    for (; i + 3u * step < total(); i = i + 4u * step) {{
        let a = in0[i]; let b = in0[i + step];
        let c = in0[i + 2u * step]; let d = in0[i + 3u * step];
        take(a, mine, count, scale); take(b, mine, count, scale);
        take(c, mine, count, scale); take(d, mine, count, scale);
    }}
    for (; i < total(); i = i + step) {{
        take(in0[i], mine, count, scale);
    }}
    workgroupBarrier();
    for (var k = lane; k < count; k = k + {size}u) {{
        var sum = 0u;
        for (var c = 0u; c < copies; c = c + 1u) {{
            sum = sum + atomicLoad(&bins[c * count + k]);
        }}
        if (sum > 0u) {{ atomicAdd(&scratch[k], sum); }}
    }}
}}"""
FINISH = """\
    let k = number * {size}u + lane;
    if (k < p[1].x) {{ out0[k] = f64(atomicLoad(&scratch[k])); }}
}}"""


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
        limits = edges.astype(np.float64)
        counts = np.zeros(edges.size, np.int64)
        for start in range(0, data.size, BLOCK):
            x = data[start : start + BLOCK].astype(np.float64)
            counts += np.bincount(host_sort.bins_of(x, limits), minlength=edges.size)
        return [counts[1:].astype(np.float64)]

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
