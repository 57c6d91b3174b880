"""The generator of each template, and the variant a dispatch needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.accel.codegen import algorithms
from app.accel.codegen.wgsl import loop_kernel, maps, matmul, reduce, scan, tiles
from app.accel.codegen.wgsl.launch import slices
from app.accel.codegen.wgsl.program import Program, Variant
from app.accel.codegen.wgsl.shapes_of_reductions import cut, scan_cut
from app.accel.ir.plan import Access, Template

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.tuning import Tuning
    from app.accel.ir.plan import Dispatch, KernelRequest

LOOP_WORKGROUP = 64
USUAL = {
    Template.MAP: Variant(),
    Template.REDUCE: Variant(mode="g2gq"),
    Template.MATMUL: Variant(mode="small"),
    Template.SCAN: Variant(mode="pieces"),
}


def generate(
    request: KernelRequest, variant: Variant, abilities: Abilities, tuning: Tuning
) -> tuple[Program, ...]:
    """The programs that compute a request, in order. Raises Unsupported."""
    maps.check_types(request, abilities)
    if request.template is Template.MAP:
        return (maps.generate(request, variant, tuning.workgroup, abilities=abilities),)
    if request.template is Template.REDUCE:
        return reduce.generate(request, variant, tuning.reduction, abilities=abilities)
    if request.template is Template.MATMUL:
        return matmul.generate(request, variant, abilities=abilities)
    if request.template is Template.SCAN:
        return scan.generate(request, variant, tuning.reduction, abilities=abilities)
    if request.template is Template.LOOP:
        return (loop_kernel.generate(request, variant, LOOP_WORKGROUP, abilities=abilities),)
    return algorithms.of(request).programs(request, abilities=abilities)


def _maps_with_partial_quad(request: KernelRequest, dispatch: Dispatch) -> frozenset[int]:
    """Maps of stores whose last quad would reach into elements that are not theirs."""
    if request.template is not Template.MAP:
        return frozenset()
    count = math.prod(dispatch.extents)
    held = [buffer.count for buffer in dispatch.outputs]
    ends = (
        (s.map, dispatch.maps[s.map].offset + count, held[s.binding])
        for s in request.stores
        if request.maps[s.map].access is Access.FLAT
    )
    return frozenset(k for k, end, there in ends if end & 3 and end < there)


def variant_of(request: KernelRequest, dispatch: Dispatch | None, tuning: Tuning) -> Variant:
    """The variant for a dispatch; the usual one without."""
    if dispatch is None:
        return USUAL.get(request.template, Variant())
    if request.template is Template.ALGORITHM:
        return Variant()
    loose = frozenset(
        k
        for k, (spec, values) in enumerate(zip(request.maps, dispatch.maps, strict=True))
        if spec.access is Access.FLAT and values.offset & 3
    ) | _maps_with_partial_quad(request, dispatch)
    shared = tuple(
        (k, j)
        for k, buffer in enumerate(dispatch.inputs)
        for j, other in enumerate(dispatch.outputs)
        if buffer is other
    )
    if request.template is Template.LOOP:
        mode = "sliced" if slices(dispatch, tuning) > 1 else ""
        return Variant(loose, shared, mode)
    if request.template is Template.SCAN:
        return Variant(loose, shared, scan_cut(request, dispatch.extents, tuning)[0])
    if request.template is Template.MATMUL:
        mode = tiles.mode_of(request, dispatch.extents, cpu=tuning.cpu, tile=tuning.tile)
        return Variant(mode=mode)
    if request.template is Template.MAP:
        mode = maps.mode_of(request, dispatch, cpu=tuning.cpu)
        rows = maps.rows_of(request, dispatch) if mode == "even" else frozenset[int]()
        return Variant(loose, shared, mode, rows)
    shape = cut(request, dispatch.extents, tuning)
    if shape.by_group:
        leading = list(request.reduced) == sorted(request.reduced, reverse=True)
        quads = leading and shape.reduced % 4 == 0
    else:
        quads = list(request.reduced) == sorted(request.reduced) and shape.kept % 4 == 0
    even = quads and shape.by_group and request.rank > 1 and dispatch.extents[0] % 4 == 0
    return Variant(loose, (), shape.mode + ("q" if quads else "") + ("e" if even else ""))
