"""How often each key from 1 on occurs: every workgroup counts on its own, then all are added up.

Few keys are counted several times side by side in workgroup memory, so that lanes seldom wait for
each other; many keys in memory, where lanes seldom meet. Whole numbers add up in any order, so
that the counts are exact.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort, ElementsAlgorithm, held
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

MOST_SHARED = 4096
"""Keys that are counted in workgroup memory: 16 KiB, which every adapter has."""
MOST_GROUPS = 1024

SHARED = wgsl_template("tally/shared").format(most=MOST_SHARED)
CLEAR = wgsl_template("tally/clear")
APART = wgsl_template("tally/apart")
TOGETHER = wgsl_template("tally/together")
FINISH = wgsl_template("tally/finish")


class _Tally(ElementsAlgorithm):
    """The one algorithm of this module: of I32 keys; those beyond the result are left out."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """How many keys there are: the size of the result."""
        del shape
        return (("keys", math.prod(cast("Shape", attrs[0]))),)

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """NumPy's counts."""
        del ops, extents
        keys, count = operands[0].astype(np.int64).reshape(-1, order="F"), options["keys"]
        inside = keys[(keys > 0) & (keys <= count)]
        return [np.bincount(inside, minlength=count + 1)[1:].astype(np.float64)]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Clear, count in workgroup memory, count in memory, finish."""
        if request.inputs[0] is not DType.I32:
            raise Unsupported(f"counts of {request.inputs[0].label}")
        writer = Writer(request, abilities)
        keys = {Binding(Role.INPUT, 0): "i32"}
        number = layout.entries(DType.F64, False)
        result = {Binding(Role.OUTPUT, 0, writable=True): number}
        counters = "atomic<u32>"
        return (
            writer.program("clear", CLEAR, {}, scratch=counters),
            writer.program("apart", APART, keys, SHARED, scratch=counters),
            writer.program("together", TOGETHER, keys, scratch=counters),
            writer.program("finish", FINISH, result, scratch=counters, number=number),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """Each workgroup counts every so many elements."""
        count, keys = math.prod(dispatch.extents), held(dispatch.outputs[0]).count
        if 4 * keys > limit:
            raise Unsupported("more keys than scratch memory may hold")
        clear, apart, together, finish = stages
        groups = min(MOST_GROUPS, -(-count // (4 * WORKGROUP)))
        few = -(-keys // WORKGROUP)
        words = (0, keys, max(1, min(32, MOST_SHARED // keys)), groups)
        counting = apart if keys <= MOST_SHARED else together
        for stage, number in ((clear, few), (counting, groups), (finish, few)):
            yield stage, Launch(parameter_words(dispatch, count, words), spread(number), 4 * keys)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every key once; about 3 ns per key with NumPy."""
        del request, lines
        return Effort(points * 4, points * 20, 3.0 * points)


TALLY = _Tally()
