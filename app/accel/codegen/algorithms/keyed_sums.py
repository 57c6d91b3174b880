"""Sums of values by few keys in any order: one pass, without a sort.

Every lane adds up its elements in workgroup memory of its own, a place for each key, so that no
lane waits for another; then the lanes are added up, then the workgroups, always in the same order.
Several arrays of values by the same keys (the columns of a table, summed one by one) are done
together, each by workgroups of its own.
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
from app.accel.ir.ops import MOST_KEYED_BYTES
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

SHARED_BYTES = 16384
"""Workgroup memory, which every adapter has."""
FEWEST_LANES = SHARED_BYTES // MOST_KEYED_BYTES
MOST_GROUPS = 1024
EACH = 64
"""Elements of a lane at least, where there is more than one workgroup."""

APART = wgsl_template("keyed_sums/apart")
FUNCTIONS = wgsl_template("keyed_sums/functions")
FINISH = wgsl_template("keyed_sums/finish")


def _cases(columns: int, statement: str) -> str:
    """The cases of a switch over the columns, the last of which stands for all others."""
    heads = [*(f"case {k}u" for k in range(columns - 1)), "default"]
    return "\n".join(
        f"{head}: {{ {statement.format(k=k, i=k + 1)} }}" for k, head in enumerate(heads)
    )


def lanes_of(keys: int, size: int) -> int:
    """Lanes of a workgroup, each with a place of so many bytes for every key."""
    lanes = WORKGROUP
    while lanes > FEWEST_LANES and lanes * keys * size > SHARED_BYTES:
        lanes //= 2
    return lanes


class _KeyedSums(ElementsAlgorithm):
    """``keyed_sum`` of I32 keys from 1 and their values; keys beyond the result are left out."""

    at_once = 8

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """How many keys there are: the size of the result."""
        del shape
        return (("keys", math.prod(cast("Shape", attrs[0]))),)

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """NumPy's sums, in double precision."""
        del ops, extents
        keys = operands[0].astype(np.int64).reshape(-1, order="F")
        columns = [values.reshape(-1, order="F") for values in operands[1:]]
        count = options["keys"]
        inside = (keys > 0) & (keys <= count)
        chosen = keys[inside]
        sums = (np.bincount(chosen, v[inside], minlength=count + 1)[1:] for v in columns)
        with np.errstate(over="ignore"):
            return [found.astype(v.dtype) for found, v in zip(sums, columns, strict=True)]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """Workgroups on their own, and all of them together."""
        dtype = request.reductions[0].dtype
        if request.inputs[0] is not DType.I32 or dtype not in (DType.F32, DType.F64):
            raise Unsupported(f"sums by {request.inputs[0].label} of {dtype.label}")
        lanes = lanes_of(dict(request.attrs)["keys"], dtype.size)
        writer = Writer(request, abilities)
        number = layout.entries(dtype, False)
        zero = f"{number}(0)"
        columns = len(request.inputs) - 1
        operands = {Binding(Role.INPUT, 0): "i32"}
        operands |= {Binding(Role.INPUT, k + 1): number for k in range(columns)}
        result = {Binding(Role.OUTPUT, k, writable=True): number for k in range(columns)}
        values = _cases(columns, "return in{i}[i];")
        shared = FUNCTIONS.format(
            number=number, places=SHARED_BYTES // dtype.size, lanes=lanes, values=values
        )
        parts = f"var<workgroup> parts: array<{number}, {WORKGROUP}>;\n"
        results = _cases(columns, "out{k}[key] = parts[0];")

        def program(
            name: str, text: str, bound: dict[Binding, str], own: str, size: int
        ) -> Program:
            return writer.program(
                name,
                text,
                bound,
                own,
                number,
                size=size,
                zero=zero,
                columns=columns,
                results=results,
            )

        return (
            program("apart", APART, operands, shared, lanes),
            program("finish", FINISH, result, parts, WORKGROUP),
        )

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """A sum of every key for each workgroup, then one workgroup for each key.

        How many workgroups share an array does not depend on those beside it: nor do the sums.
        """
        del limit
        result = held(dispatch.outputs[0])
        count, keys = math.prod(dispatch.extents), result.count
        size = dispatch.pipeline.request.reductions[0].dtype.size
        groups = max(1, min(MOST_GROUPS, -(-count // (EACH * lanes_of(keys, size)))))
        words, columns = (
            parameter_words(dispatch, count, (0, keys, 0, groups)),
            len(dispatch.outputs),
        )
        for stage, number in zip(stages, (columns * groups, columns * keys), strict=True):
            yield stage, Launch(words, spread(number), size * keys * groups * columns)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Keys and values once; about 4 ns per value with NumPy."""
        del lines
        size, columns = sum(dtype.size for dtype in request.inputs), len(request.outputs)
        return Effort(points * size, points * 20 * columns, 4.0 * points * columns)


KEYED_SUMS = _KeyedSums()
