"""Philox and its normal numbers as machine code: `philox` bit for bit, many times faster.

The text is that of random numbers inside kernels, `compiled.random`. `philox` loads it once
enough numbers have been drawn to make it worth while.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from app import native
from app.accel.codegen.elementary.assembly import Writer, library, symbol
from app.accel.codegen.llvm import llvm_random
from app.accel.codegen.llvm.llvm_values import Code
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LANES = {DType.F32: 64, DType.F64: 32}
KINDS = tuple((kind, dtype) for kind in ("uniform", "normal") for dtype in LANES)


def _fill(kind: str, dtype: DType) -> tuple[str, Code]:
    """A function that fills whole vectors: ``fill(out, key, first, count)``."""
    w = Writer(LANES[dtype])
    code = Code(w)
    vector = code.type(dtype)
    place = w.variable("i64", "0")
    w.jump("again")
    w.block("again")
    here = w.get("i64", place)
    w.branch(w.let(f"icmp ult i64 {here}, %count"), "inside", "after")
    w.block("inside")
    first = w.let(f"add i64 %first, {here}")
    drawn = llvm_random.consecutive(code, f"random_{kind}", dtype, "%key", first)
    pointer = w.let(f"getelementptr {vector[:-1].split(' x ')[1]}, ptr %out, i64 {here}")
    w.write(f"store {vector} {drawn}, ptr {pointer}, align {dtype.size}")
    w.put("i64", place, w.let(f"add i64 {here}, {w.lanes}"))
    w.jump("again")
    w.block("after")
    w.write("ret void")
    head = f"define void @{kind}_{dtype.value}(ptr %out, i64 %key, i64 %first, i64 %count) #0 {{"
    return "\n".join((head, "entry:", *w.variables, *w.lines, "}")), code


@cache
def compile_all() -> dict[tuple[str, DType], Callable[..., None]]:
    """Every function, compiled or taken from the disk."""
    texts, functions, helpers = [], set[tuple[str, int, int]](), dict[str, str]()
    for kind, dtype in KINDS:
        text, code = _fill(kind, dtype)
        texts.append(text)
        functions |= code.functions
        helpers |= code.helpers
    wide = 'attributes #0 = { nounwind "prefer-vector-width"="512" }'
    text = "\n".join((library(functions, fused=False), *helpers.values(), *texts, wide, ""))
    names = {pair: f"{pair[0]}_{pair[1].value}" for pair in KINDS}
    made = native.compile_assembly(text, *names.values())
    words = (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    return {pair: made.function(name, None, *words) for pair, name in names.items()}


def normal_pair() -> tuple[str, str]:
    """Two normal numbers from two uniform ones as assembly: its text and the function's name.

    Arguments and results are vectors of one double.
    """
    return library([("normal_pair", 64, 1)], fused=False), symbol("normal_pair", 64, 1)


def draw(kind: str, key: int, start: int, count: int, dtype: DType) -> NDArray[Any]:
    """Numbers of elements start … start + count - 1."""
    first = start - start % 4
    skip, lanes = start - first, LANES[dtype]
    out = np.empty(-(-(skip + count) // lanes) * lanes, dtype.numpy)
    compile_all()[kind, dtype](out.ctypes.data, key, first, out.size)
    return out[skip : skip + count]
