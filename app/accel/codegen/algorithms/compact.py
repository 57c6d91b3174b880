"""What a mask selects, in order: the elements themselves, or their 1-based places.

Every tile of the mask is counted, the counts are added up, and each tile writes from its place on.
How many there are is part of the node's shape: whoever asks has fetched that number before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort, ElementsAlgorithm
from app.accel.codegen.algorithms.shader_parts import TREE, WORKGROUP, Writer, indent, raw
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

OWN = 2
"""Words of the mask, four elements each, of an invocation."""
TILE = 4 * OWN * WORKGROUP

FUNCTIONS = wgsl_text("compact/functions")
COUNT = wgsl_template("compact/count")
# One workgroup adds up the tiles' counts; a lane fetches eight before it uses the first.
SUMS = wgsl_template("compact/sums")
BATCH = 8
WRITE = wgsl_template("compact/write")
CHOSEN = f"var<workgroup> chosen: array<u32, {TILE}>;\n"
"""Places in a tile, so that neighbouring lanes write neighbouring elements."""


def _batch_statements() -> dict[str, Any]:
    """The statements over a batch of counts."""
    each = range(BATCH)
    return {
        "fetched": "\n".join(f"        let v{k} = scratch[k + {k}u];" for k in each),
        "together": " + ".join(f"v{k}" for k in each),
        "kept": "\n".join(
            f"        scratch[k + {k}u] = before; before = before + v{k};" for k in each
        ),
    }


class _Compact(ElementsAlgorithm):
    """The one algorithm of this module."""

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """The selected elements, or their places."""
        del extents, options
        mask = operands[-1].reshape(-1, order="F")
        if list(ops) == ["compact_index"]:
            return [np.flatnonzero(mask) + 1.0]
        return [operands[0].reshape(-1, order="F")[mask]]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Count, sum, write."""
        number = len(request.inputs) - 1
        mask = Binding(Role.INPUT, number)
        writer = Writer(request, abilities)
        shared = FUNCTIONS.replace("MASK", f"in{number}") + TREE + "\n"
        bound = {mask: "u32"}
        result = request.reductions[0]
        output, entry = writer.target(0, result.dtype)
        if result.op == "compact":
            if result.dtype is not DType.BOOL or number:
                bound[Binding(Role.INPUT, 0)] = raw(result.dtype)
            store = writer.moved(0, result.dtype, "to", "at")
        else:
            entry = layout.entries(result.dtype, False)
            store = ["out0[to] = f64(at + 1u);"]
        return (
            writer.program("count", COUNT, {mask: "u32"}, shared, own=OWN),
            writer.program("sums", SUMS, {}, TREE, batch=BATCH, **_batch_statements()),
            writer.program(
                "write",
                WRITE,
                bound | {output: entry},
                shared + CHOSEN,
                own=OWN,
                store=indent([f"    {line}" for line in store]),
            ),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """One after another."""
        del limit
        count = math.prod(dispatch.extents)
        tiles = -(-count // TILE)
        selected: Any = dispatch.outputs[0]
        words = (0, tiles, selected.count)
        for stage, groups in zip(stages, (tiles, 1, tiles), strict=True):
            yield stage, Launch(parameter_words(dispatch, count, words), spread(groups), 4 * tiles)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """The mask twice, and what it selects; about 2 ns per element with NumPy."""
        del lines
        return Effort(points * (2 + 2 * request.outputs[0].size), points * 60, 2.0 * points)


COMPACT = _Compact()
