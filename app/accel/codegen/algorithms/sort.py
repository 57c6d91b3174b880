"""Stable sorting along an axis: a radix sort of keys with their places, four bits at a time; eight
where lanes can vote (see `subgroup_sort`). Lines that fit into a workgroup are `short_sort`'s, and
`network_sort`'s where nobody asks for places.

Keys are unsigned integers in MATLAB's order: NaN last (first when descending), both zeros equal.
Every pass counts the digits of each tile, adds the counts up, and moves tile after tile, each
sorted in workgroup memory first so that neighbours are written together (Satish, Harris and
Garland, "Designing efficient sorting algorithms for manycore GPUs", 2009). Many lines are sorted
at once: after the keys come as many passes over the line's number as that has digits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms import network_sort, short_sort, subgroup_sort
from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.shader_parts import WORKGROUP
from app.accel.codegen.algorithms.sort_shaders import LINE, Shaders, key_words
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Program
from app.accel.numerics import host_sort
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]


class _Sort(Algorithm):
    """The one algorithm of this module."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """Whether the largest comes first; the lanes that hold a line, 0 where it is too long."""
        lanes = short_sort.lanes_for(shape[int(str(attrs[0]))])
        return (("descending", int(bool(attrs[1]))), ("lanes", lanes))

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """Sorted values and their 1-based places along the axis."""
        inner, n, outer = extents
        flat = operands[0].reshape(-1, order="F")
        # Column-major lines are the rows of C's order, where neighbours are sorted fastest.
        lines = flat.reshape((outer, n) if inner == 1 else (outer, n, inner))
        descending = bool(options["descending"])
        if list(ops) == ["sort"]:
            return [host_sort.sorted_values(lines, 1, descending=descending).reshape(-1)]
        order = host_sort.sort_order(lines, 1, descending=descending)
        values = np.take_along_axis(lines, order, axis=1) if "sort" in ops else lines
        results: dict[str, Array] = {"sort": values, "sort_index": order + 1.0}
        return [results[op].reshape(-1) for op in ops]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Count, sum and move per digit, first straight from the operand; write the results. One
        program where a line fits into workgroup memory."""
        lanes = dict(request.attrs)["lanes"]
        tile = lanes * short_sort.OWN
        if lanes and network_sort.fits(request, tile, abilities):
            return (network_sort.Network(request, abilities, tile).program_of_lines(),)

        if lanes and short_sort.fits(lanes, abilities):
            return (short_sort.Shaders(request, abilities, lanes).program_of_lines(),)

        writer = (subgroup_sort.Shaders if subgroup_sort.fit(abilities) else Shaders)(
            request, abilities
        )
        first = (writer.count(first=True), writer.sums(), writer.move(first=True))
        return (*first, writer.count(), writer.move(), writer.finish())

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Pass after pass, from one half of the scratch memory to the other."""
        request = dispatch.pipeline.request
        inner, n, outer = dispatch.extents
        count, lines = inner * n * outer, inner * outer
        if len(stages) == 1:
            network = network_sort.KIND in stages[0].program.kind
            yield stages[0], self._of_lines(dispatch, lines, n, network=network)
            return
        tile, bits = map(int, stages[0].program.kind.split()[-2:])
        tiles, words = -(-count // tile), key_words(request.inputs[0])
        scratch = 4 * (2 * (words + 1) * count + (tiles + 1 << bits))
        if scratch > limit:
            raise Unsupported(f"sorting {count} elements takes {scratch} bytes bound at once")
        first, sums, first_move, later, later_move, finish = stages
        everywhere = spread(-(-count // WORKGROUP))

        def launch(groups: tuple[int, int, int], shift: int = 0, half: int = 0) -> Launch:
            return Launch(parameter_words(dispatch, count, (shift, tiles, half)), groups, scratch)

        shifts = [*range(0, 8 * request.inputs[0].size, bits)]
        shifts += range(LINE, LINE + (lines - 1).bit_length(), bits)
        for k, shift in enumerate(shifts):
            yield later if k else first, launch(spread(tiles), shift, k % 2)
            yield sums, launch(spread(1 << bits), shift, k % 2)
            yield later_move if k else first_move, launch(spread(tiles), shift, k % 2)
        yield finish, launch(everywhere, 0, len(shifts) % 2)

    def _of_lines(self, dispatch: Dispatch, lines: int, length: int, *, network: bool) -> Launch:
        """A workgroup for as many lines as it holds."""
        lanes = dict(dispatch.pipeline.request.attrs)["lanes"]
        tile = lanes * short_sort.OWN
        if network:
            doublings = network_sort.doublings(length)
            held, extra = tile >> doublings, (0, lines, doublings)
        else:
            held, extra = tile // length, (0, lines, short_sort.line_bits(lanes, length))
        return Launch(parameter_words(dispatch, lines * length, extra), spread(-(-lines // held)))

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """A pass reads the keys twice and the places once, and writes both; only the first one
        where a workgroup holds a line.

        Seen with NumPy: 1.6 ns per element and doubling for places, 0.3 for values alone.
        """
        size = request.inputs[0].size
        passes = 2 * size + -(-(lines - 1).bit_length() // 4)
        alone = [result.op for result in request.reductions] == ["sort"]
        doublings = max(1.0, math.log2(max(2, points // max(1, lines))))
        host = (0.3 if alone else 1.6) * points * doublings
        walks = 1 if dict(request.attrs)["lanes"] else passes
        return Effort(points * walks * (3 * max(size, 4) + 8), points * passes * 150, host)


SORT = _Sort()
