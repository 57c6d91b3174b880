"""The smallest and the largest value of each key, where the keys are sorted; NaN is left out.

Values are compared by the keys that `sort` makes of their bits, and moved as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.accel.codegen.algorithms.segments import SEARCH, ByKey
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, indent, raw
from app.accel.codegen.algorithms.sort_shaders import Shaders
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import KernelRequest

    Array = NDArray[np.generic]

# Ranks begin at 1, a value that is not a number has rank 1: whatever is one comes before it.
RANK = wgsl_template("segment_extremes/rank")
WALK = wgsl_template("segment_extremes/walk")
SHARED = wgsl_template("segment_extremes/shared")
ALONE = wgsl_template("segment_extremes/alone")


class _SegmentExtremes(ByKey):
    """``segment_max`` and ``segment_min`` of sorted I32 keys from 1 and their values; 0 of none."""

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """Extremes of consecutive values."""
        del extents
        keys, values = (operand.reshape(-1, order="F") for operand in operands)
        edges = np.searchsorted(keys, np.arange(1, options["keys"] + 2))
        found = np.zeros(options["keys"], values.dtype)
        filled = np.diff(edges) > 0
        reduce = {"segment_max": np.fmax, "segment_min": np.fmin}[ops[0]]
        if filled.any():
            found[filled] = reduce.reduceat(values, edges[:-1][filled])
        return [found]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """A workgroup for a key, and a lane for a key."""
        result = request.reductions[0]
        if request.inputs[0] is not DType.I32 or len(request.inputs) != 2:
            raise Unsupported(f"segments of {request.inputs[0].label}")
        writer = Shaders(_of_values(request), abilities)
        dtype = writer.dtype
        key = indent(writer.key_statements()).replace("in0", "in1")
        output, entry = writer.target(0, dtype)
        bound = {Binding(Role.INPUT, 0): "i32", Binding(Role.INPUT, 1): raw(dtype), output: entry}
        low, high = _ranks(dtype, writer.keys, smallest=result.op == "segment_min")
        ranks = RANK.format(size=WORKGROUP, key=key, high=high, low=low)
        store = indent(writer.moved(0, dtype, "key", "place", "in1"))
        nothing = indent(layout.store_element("out0", dtype, "key", _zero(dtype)))

        def program(name: str, text: str, start: str, step: int) -> Program:
            walk = WALK.format(start=start, step=step)
            return writer.program(
                name, text, bound, SEARCH + ranks, "", walk=walk, store=store, nothing=nothing
            )

        return program("shared", SHARED, " + lane", WORKGROUP), program("alone", ALONE, "", 1)


def _zero(dtype: DType) -> str:
    """A zero as `raw` entries hold it."""
    if raw(dtype) == "vec2<u32>":
        return "vec2<u32>(0u)"
    return "0u" if dtype is DType.F32 else f"{layout.register(dtype)}(0)"


def _of_values(request: KernelRequest) -> KernelRequest:
    """The request as the keys of a sort see it: its first operand are the values."""
    values = request.inputs[1]
    return replace(request, inputs=(values, values), attrs=(*request.attrs, ("descending", 0)))


def _ranks(dtype: DType, words: int, *, smallest: bool) -> tuple[str, str]:
    """Low and high word of a rank that grows as a value is more wanted; lowest of all for NaN."""
    turn = "~" if smallest else ""
    if not dtype.is_float or smallest:  # NaN has the largest key, the smallest when turned
        return f"{turn}low", f"{turn}high" if words == 2 else "0u"
    if words == 1:
        return "select(low, 0u, low == 0xffffffffu)", "0u"
    missing = "low == 0xffffffffu && high == 0xffffffffu"
    return f"select(low, 0u, {missing})", f"select(high, 0u, {missing})"


LARGEST, SMALLEST = _SegmentExtremes(), _SegmentExtremes()
"""Runs of their own: what is one algorithm may give both results at once."""
