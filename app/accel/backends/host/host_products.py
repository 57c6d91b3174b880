"""Operands of matrix products that are computed from something else, on the host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.accel.backends.host import host_blocks as bl
from app.accel.backends.host.host_blocks import Array, Frame, Program

if TYPE_CHECKING:
    from app.accel.backends.host.host_provider import HostProvider
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import KernelRequest


def operands(host: HostProvider, kernel: KernelRequest, frame: Frame) -> tuple[Array, Array]:
    """Both operands as they are before they are transposed."""
    m, n, k = frame.extents
    options = dict(kernel.attrs)
    a = (k, m) if options["transpose_a"] else (m, k)
    b = (n, k) if options["transpose_b"] else (k, n)
    if not kernel.body:
        return (frame.inputs[0].reshape(a, order="F"), frame.inputs[1].reshape(b, order="F"))
    split = options["split"]
    first = _operand(host, kernel, frame, (0, split, options["value_a"]), a)
    if kernel.body[:split] == kernel.body[split:] and a == b:
        return first, first
    return first, _operand(host, kernel, frame, (split, len(kernel.body), options["value_b"]), b)


def _operand(
    host: HostProvider,
    kernel: KernelRequest,
    frame: Frame,
    part: tuple[int, int, int],
    shape: Shape,
) -> Array:
    """One operand: the instructions `part` begins and ends with, and its value's number."""
    start, end, value = part
    program = Program(kernel.body[start:end], start, kernel, {value})
    own = replace(frame, extents=shape, uniforms={})
    program.prepare(own)
    whole = np.empty(shape, kernel.body[value].dtype.numpy, order="F")
    parts = bl.segments(shape[-1], max(1, min(4 * host.threads, whole.size // bl.BLOCK)))

    def task(k: int) -> None:
        scratch = host.scratch
        for block in bl.blocks(shape, bl.BLOCK, parts[k]):
            values = program.run(own, block, scratch, None, {})
            place = tuple(slice(s, s + e) for s, e in zip(block.start, block.shape, strict=True))
            whole[place] = values[value]
            scratch.end()

    host.spread(len(parts), task)
    return whole
