"""Sums and products of values by sorted key: ``accumarray`` after a sort.

The values of a key lie side by side. Each result finds where its key begins and ends by bisection
and adds the values up, always in the same order: a workgroup shares the work of a key where the
keys are few, a lane has a key of its own where they are many.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np

from app.accel.codegen.algorithms.algorithm import Effort, ElementsAlgorithm, held
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

FEW = 64
"""Values per key on the average from which a workgroup shares them."""

SEARCH = wgsl_text("segments/search")
SHARED = wgsl_template("segments/shared")
ALONE = wgsl_template("segments/alone")


def by_key(dispatch: Dispatch, stages: Sequence[object]) -> tuple[object, Launch]:
    """The launch with a workgroup for a key, or with a lane where a key has few values."""
    result = held(dispatch.outputs[0])
    count, keys = math.prod(dispatch.extents), result.count
    words = parameter_words(dispatch, count, (0, keys))
    if count >= FEW * keys:
        return stages[0], Launch(words, spread(keys))
    return stages[1], Launch(words, spread(-(-keys // WORKGROUP)))


class ByKey(ElementsAlgorithm):
    """One value for every key from 1 of sorted keys: what all such algorithms have in common."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """How many keys there are: the size of the result."""
        del shape
        return (("keys", math.prod(cast("Shape", attrs[0]))),)

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """One of the two."""
        del limit
        yield by_key(dispatch, stages)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Keys and values once; about 3 ns per value with NumPy."""
        del lines
        size = sum(dtype.size for dtype in request.inputs)
        return Effort(points * size, points * 20, 3.0 * points)


class _Segments(ByKey):
    """``segment_sum``, ``segment_prod`` of sorted I32 keys from 1 and their values."""

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """Sums of consecutive values."""
        del extents
        keys = operands[0].reshape(-1, order="F")
        edges = np.searchsorted(keys, np.arange(1, options["keys"] + 2))
        counts = np.diff(edges)
        values = operands[1].reshape(-1, order="F")
        times = list(ops) == ["segment_prod"]
        sums = np.full(len(counts), float(times), values.dtype)
        filled = counts > 0
        if filled.any():
            joined = np.multiply if times else np.add
            sums[filled] = joined.reduceat(values, edges[:-1][filled])
        return [sums]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """A workgroup for a key, and a lane for a key."""
        result = request.reductions[0]
        if request.inputs[0] is not DType.I32 or result.dtype not in (DType.F32, DType.F64):
            raise Unsupported(f"segments of {request.inputs[0].label} and {result.dtype.label}")
        writer = Writer(request, abilities)
        bound = {Binding(Role.INPUT, 0): "i32"}
        number = layout.entries(result.dtype, False)
        bound[Binding(Role.INPUT, 1)] = number
        bound[Binding(Role.OUTPUT, 0, writable=True)] = number
        parts = f"var<workgroup> parts: array<{number}, {WORKGROUP}>;\n{SEARCH}"
        times = result.op == "segment_prod"
        zero, sign = f"{number}({int(times)})", "*" if times else "+"

        def program(name: str, text: str, functions: str, total: str) -> Program:
            return writer.program(
                name, text, bound, functions, "", result=total, zero=zero, value="in1[k]", sign=sign
            )

        return (
            program("shared", SHARED, parts, "parts[0]"),
            program("alone", ALONE, SEARCH, "sum"),
        )


SUMS, PRODUCTS = _Segments(), _Segments()
"""Runs of their own: what is one algorithm may give several results at once."""
