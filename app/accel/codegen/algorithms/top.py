"""The first few of each line in sorted order, without sorting the line: ``mink`` and ``maxk``.

A workgroup has a line. Each lane keeps the first few of the elements it meets, and then the lanes'
first elements are compared as often as results are wanted. Order and ties are those of `sort`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, indent, raw
from app.accel.codegen.algorithms.sort_shaders import INPUT, Shaders
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding
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

SHARED = """\
var<workgroup> first_keys: array<vec2<u32>, {size}>;
var<workgroup> first_places: array<u32, {size}>;
fn key_at(i: u32) -> vec2<u32> {{
{key}
    return vec2<u32>({high}, low);
}}
fn before(a: vec2<u32>, i: u32, b: vec2<u32>, j: u32) -> bool {{
    if (a.x != b.x) {{ return a.x < b.x; }}
    if (a.y != b.y) {{ return a.y < b.y; }}
    return i < j;
}}
"""
TOP = """\
    if (number >= p[1].x) {{ return; }}
    let inner = p[2].x; let n = p[2].y;
    let start = number % inner + number / inner * inner * n;
    var keys: array<vec2<u32>, {most}>;
    var places: array<u32, {most}>;
    for (var q = 0u; q < {most}u; q = q + 1u) {{
        keys[q] = vec2<u32>(0xffffffffu); places[q] = 0xffffffffu;
    }}
    for (var i = lane; i < n; i = i + {size}u) {{
        let key = key_at(start + i * inner);
        if (!before(key, i, keys[{last_kept}u], places[{last_kept}u])) {{ continue; }}
        var q = {last_kept}u;
        while (q > 0u && before(key, i, keys[max(q, 1u) - 1u], places[max(q, 1u) - 1u])) {{
            keys[q] = keys[q - 1u]; places[q] = places[q - 1u];
            q = q - 1u;
        }}
        keys[q] = key; places[q] = i;
    }}
    var head = 0u;
    for (var r = 0u; r < {most}u; r = r + 1u) {{
        let mine = min(head, {last_kept}u);
        first_keys[lane] = select(keys[mine], vec2<u32>(0xffffffffu), head >= {most}u);
        first_places[lane] = select(places[mine], 0xffffffffu, head >= {most}u);
        workgroupBarrier();
        for (var s = {size}u / 2u; s > 0u; s = s / 2u) {{
            if (lane < s && before(first_keys[lane + s], first_places[lane + s],
                                   first_keys[lane], first_places[lane])) {{
                first_keys[lane] = first_keys[lane + s];
                first_places[lane] = first_places[lane + s];
            }}
            workgroupBarrier();
        }}
        let found = first_places[0];
        workgroupBarrier();
        if (head < {most}u && places[mine] == found) {{ head = head + 1u; }}
        if (lane == 0u) {{
            let at = start + found * inner;
            let to = number % inner + number / inner * inner * {most}u + r * inner;
{stores}
        }}
    }}
}}"""


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
        doublings = max(1.0, np.log2(max(2, points // max(1, lines))))
        return Effort(points * request.inputs[0].size, points * 20, 1.6 * points * doublings)


TOP_FEW = _Top()
