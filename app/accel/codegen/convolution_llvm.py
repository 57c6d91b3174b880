"""The machine code of `convolution`: sums of products of taps with columns of an array.

``correlate(out, x, weights, taps, columns, number of taps, number of columns, rows)``: ``taps`` and
``columns`` say how far elements of the kernel and first elements of the result's columns lie from
``x``, so that one function does for any number of dimensions. Sums of a block of rows stay in
registers; the last block is masked.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from app import native

if TYPE_CHECKING:
    from collections.abc import Callable

UNROLLED = 4
"""Vectors of sums in registers at a time."""
KINDS = {"d": ("double", 8), "f": ("float", 16)}
"""Element and lanes of a vector, by the letter of the class."""

_TEXT = """
define void @correlate_{letter}(ptr noalias %out, ptr %x, ptr %w, ptr %taps, ptr %columns,
                                i64 %m, i64 %n, i64 %rows) #0 {{
entry:
  br label %column
column:
  %c = phi i64 [ 0, %entry ], [ %c1, %next ]
  %go = icmp slt i64 %c, %n
  br i1 %go, label %begin, label %end
begin:
  %pc = getelementptr i64, ptr %columns, i64 %c
  %first = load i64, ptr %pc
  %from = getelementptr {t}, ptr %x, i64 %first
  %skipped = mul i64 %c, %rows
  %to = getelementptr {t}, ptr %out, i64 %skipped
  br label %blocks
blocks:
  %i = phi i64 [ 0, %begin ], [ %i1, %stored ]
  %i1 = add i64 %i, {block}
  %fits = icmp sle i64 %i1, %rows
  br i1 %fits, label %sums, label %rest
sums:
  %here = getelementptr {t}, ptr %from, i64 %i
  br label %tap
tap:
  %k = phi i64 [ 0, %sums ], [ %k1, %tap ]
{phis}
  %pt = getelementptr i64, ptr %taps, i64 %k
  %offset = load i64, ptr %pt
  %pw = getelementptr {t}, ptr %w, i64 %k
  %weight = load {t}, ptr %pw
  %one = insertelement {v} undef, {t} %weight, i32 0
  %all = shufflevector {v} %one, {v} undef, <{lanes} x i32> zeroinitializer
  %at = getelementptr {t}, ptr %here, i64 %offset
{products}
  %k1 = add i64 %k, 1
  %more = icmp slt i64 %k1, %m
  br i1 %more, label %tap, label %stored
stored:
  %there = getelementptr {t}, ptr %to, i64 %i
{stores}
  br label %blocks
rest:
  %j = phi i64 [ %i, %blocks ], [ %j1, %last ]
  %left = sub i64 %rows, %j
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %masked, label %next
masked:
  %j1 = add i64 %j, {lanes}
  %l1 = insertelement <{lanes} x i64> undef, i64 %left, i32 0
  %l2 = shufflevector <{lanes} x i64> %l1, <{lanes} x i64> undef, <{lanes} x i32> zeroinitializer
  %mask = icmp slt <{lanes} x i64> <{numbers}>, %l2
  %mhere = getelementptr {t}, ptr %from, i64 %j
  br label %mtap
mtap:
  %mk = phi i64 [ 0, %masked ], [ %mk1, %mtap ]
  %msum = phi {v} [ zeroinitializer, %masked ], [ %mnew, %mtap ]
  %mpt = getelementptr i64, ptr %taps, i64 %mk
  %moffset = load i64, ptr %mpt
  %mpw = getelementptr {t}, ptr %w, i64 %mk
  %mweight = load {t}, ptr %mpw
  %mone = insertelement {v} undef, {t} %mweight, i32 0
  %mall = shufflevector {v} %mone, {v} undef, <{lanes} x i32> zeroinitializer
  %mat = getelementptr {t}, ptr %mhere, i64 %moffset
  %mx = call {v} @llvm.masked.load.v{lanes}{code}.p0(
    ptr %mat, i32 {size}, <{lanes} x i1> %mask, {v} zeroinitializer)
  %mnew = call {v} @llvm.fmuladd.v{lanes}{code}({v} %mx, {v} %mall, {v} %msum)
  %mk1 = add i64 %mk, 1
  %mmore = icmp slt i64 %mk1, %m
  br i1 %mmore, label %mtap, label %last
last:
  %mthere = getelementptr {t}, ptr %to, i64 %j
  call void @llvm.masked.store.v{lanes}{code}.p0(
    {v} %mnew, ptr %mthere, i32 {size}, <{lanes} x i1> %mask)
  br label %rest
next:
  %c1 = add i64 %c, 1
  br label %column
end:
  ret void
}}
declare {v} @llvm.masked.load.v{lanes}{code}.p0(ptr, i32, <{lanes} x i1>, {v})
declare void @llvm.masked.store.v{lanes}{code}.p0({v}, ptr, i32, <{lanes} x i1>)
declare {v} @llvm.fmuladd.v{lanes}{code}({v}, {v}, {v})
"""


def _text(letter: str) -> str:
    element, lanes = KINDS[letter]
    vector, size = f"<{lanes} x {element}>", 4 if letter == "f" else 8
    code = f"f{8 * size}"
    phis, products, stores = [], [], []
    for u in range(UNROLLED):
        phis.append(f"  %s{u} = phi {vector} [ zeroinitializer, %sums ], [ %n{u}, %tap ]")
        products += [
            f"  %a{u} = getelementptr {element}, ptr %at, i64 {u * lanes}",
            f"  %x{u} = load {vector}, ptr %a{u}, align {size}",
            f"  %n{u} = call {vector} @llvm.fmuladd.v{lanes}{code}"
            f"({vector} %x{u}, {vector} %all, {vector} %s{u})",
        ]
        stores += [
            f"  %o{u} = getelementptr {element}, ptr %there, i64 {u * lanes}",
            f"  store {vector} %n{u}, ptr %o{u}, align {size}",
        ]
    return _TEXT.format(
        letter=letter,
        t=element,
        v=vector,
        lanes=lanes,
        size=size,
        code=code,
        block=UNROLLED * lanes,
        numbers=", ".join(f"i64 {k}" for k in range(lanes)),
        phis="\n".join(phis),
        products="\n".join(products),
        stores="\n".join(stores),
    )


def _module() -> str:
    wide = 'attributes #0 = { nounwind "prefer-vector-width"="512" }'
    return "\n".join((*map(_text, KINDS), wide, ""))


def is_at_hand() -> bool:
    """Whether the functions are there in an instant: on the disk, and the compiler loaded."""
    return native.is_awake() and native.is_kept(_module())


@cache
def compile_all() -> dict[str, Callable[..., None]]:
    """A function for each class, compiled or taken from the disk."""
    made = native.compile_assembly(_module(), *(f"correlate_{k}" for k in KINDS))
    words = (*(ctypes.c_void_p,) * 5, *(ctypes.c_int64,) * 3)
    return {k: made.function(f"correlate_{k}", None, *words) for k in KINDS}
