"""What a pass of a loop takes over all points: neighbouring lanes are joined, then what is left of
them, and the last number joins those of the points before.

`numerics.lane_totals` does the same with NumPy, to the bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.accel.codegen.llvm.llvm_casts import cast
from app.accel.codegen.llvm.llvm_values import literal
from app.accel.ir.dtypes import DType
from app.accel.numerics.lane_totals import NOTHING
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.elementary.assembly import Writer
    from app.accel.codegen.llvm.body import Body
    from app.accel.ir.plan import Total


def take(body: Body, total: Total, table: str) -> None:
    """Join the value of these points with the number of the pass under way in a table."""
    code, w = body.code, body.code.writer
    number, op = total.reduce.value, total.reduce.op
    dtype = body.dtypes[number]
    if dtype.is_integer and dtype.size == 8:
        raise Unsupported("machine code for totals of 64-bit integers")
    nothing = literal(DType.F64, NOTHING.get(op, math.nan))
    value = cast(code, body.values[number], dtype, DType.F64)
    value = code.select(body.mask, DType.F64, value, nothing)
    lanes = w.lanes
    while lanes > 1:
        kind = f"<{lanes} x double>"
        a, b = (_every_other(w, kind, value, first, lanes) for first in (0, 1))
        lanes //= 2
        value = _joined(w, op, lanes, a, b)
    one = w.let(f"extractelement <1 x double> {value}, i64 0")
    place = w.let(f"getelementptr double, ptr {table}, i64 {body.pass_}")
    before = w.let(f"load double, ptr {place}, align 8")
    w.write(f"store double {_joined(w, op, 0, before, one)}, ptr {place}, align 8")


def _every_other(w: Writer, kind: str, value: str, first: int, lanes: int) -> str:
    taken = ", ".join(f"i32 {k}" for k in range(first, lanes, 2))
    mask = f"<{lanes // 2} x i32> <{taken}>"
    return w.let(f"shufflevector {kind} {value}, {kind} poison, {mask}")


def _joined(w: Writer, op: str, lanes: int, a: str, b: str) -> str:
    """Of two extremes that are equal the first one, and any number rather than NaN."""
    kind, truth = (f"<{lanes} x double>", f"<{lanes} x i1>") if lanes else ("double", "i1")
    if op in NOTHING:
        return w.let(f"{'fadd' if op == 'sum' else 'fmul'} {kind} {a}, {b}")
    relation = "ole" if op == "min" else "oge"
    before = w.let(f"fcmp {relation} {kind} {a}, {b}")
    alone = w.let(f"fcmp uno {kind} {b}, {b}")
    first = w.let(f"or {truth} {before}, {alone}")
    return w.let(f"select {truth} {first}, {kind} {a}, {kind} {b}")
