"""Operations that every code generator spells itself: arithmetic, comparisons, parts, bits."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir import host_functions as hf
from app.accel.ir.operations.spec import (
    ANY,
    POSITIVE,
    UNSIGNED,
    Complex,
    Costs,
    Range,
    Result,
    primitive,
)

if TYPE_CHECKING:
    from app.accel.ir.node import Node


def _product(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def _times(node: Node, a: Range, b: Range) -> Range:
    if node.inputs[0] is node.inputs[1]:
        low, high = _abs(node, a)
        return (max(low * low, UNSIGNED[0]), high * high)
    corners = [_product(p, q) for p in a for q in b]
    low = UNSIGNED[0] if a[0] > 0 and b[0] > 0 else -math.inf
    return (max(low, min(corners)), max(corners))


def _divide(_: Node, a: Range, b: Range) -> Range:
    if a[0] >= 0 and b[0] > 0:  # 1 / -0 is -Inf
        return UNSIGNED if a[0] > 0 else POSITIVE
    return ANY


def _bound(low: float) -> float:
    """A lower bound that holds for the number, not only for its sign."""
    return 0.0 if 0 < low < sys.float_info.min else low


def _minus(_: Node, a: Range, b: Range) -> Range:
    low, high = a[0] - b[1], a[1] - _bound(b[0])
    return (-math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high)


def _abs(_: Node, a: Range) -> Range:
    low = 0.0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))
    return (max(low, UNSIGNED[0]), max(abs(a[0]), abs(a[1])))


def _whole_bound(bound: float, towards: int) -> float:
    if not math.isfinite(bound):
        return bound
    return math.floor(bound) if towards < 0 else math.ceil(bound)


def whole_range(_: Node, a: Range) -> Range:
    """The range of whole numbers near those of a range."""
    return (_whole_bound(a[0], -1), _whole_bound(a[1], 1))


primitive(
    "plus",
    2,
    hf.plus,
    text="({0} + {1})",
    values=lambda _, a, b: (a[0] + b[0], a[1] + b[1]),
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(host=(0.13, 0.4)),
)
primitive(
    "minus",
    2,
    hf.minus,
    text="({0} - {1})",
    values=_minus,
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(host=(0.13, 0.4)),
)
primitive(
    "times",
    2,
    hf.times,
    text="({0} .* {1})",
    values=_times,
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(host=(0.13, 0.4)),
)
primitive(
    "rdivide",
    2,
    hf.rdivide,
    text="({0} ./ {1})",
    values=_divide,
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(4, host=(0.15, 0.6), machine=(0.15, 0.5), shader=24),  # correctly rounded
)
primitive(
    "uminus",
    1,
    hf.uminus,
    text="-{0}",
    values=lambda _, a: (-a[1], -_bound(a[0])),
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(host=(0.1, 0.35)),
)

# --- comparisons and logicals -------------------------------------------------------------------

for _name, _host, _sign in (
    ("eq", np.equal, "=="),
    ("ne", np.not_equal, "~="),
    ("lt", hf.lt, "<"),
    ("le", hf.le, "<="),
    ("gt", hf.gt, ">"),
    ("ge", hf.ge, ">="),
):
    primitive(
        _name,
        2,
        _host,
        text=f"({{0}} {_sign} {{1}})",
        result=Result.BOOL,
        complex=Complex.KERNELS,
        integers=True,
        costs=Costs(host=(0.2, 0.5)),
    )
for _name, _ufunc, _text in (
    ("and", np.logical_and, "({0} & {1})"),
    ("or", np.logical_or, "({0} | {1})"),
    ("xor", np.logical_xor, "xor({0}, {1})"),
):
    primitive(_name, 2, _ufunc, text=_text, result=Result.BOOL, costs=Costs(host=(0.1, 1.8)))
primitive("not", 1, np.logical_not, text="~{0}", result=Result.BOOL, costs=Costs(host=(0.1, 0.5)))
primitive(
    "select",
    3,
    hf.select,
    result=Result.LAST,
    values=lambda _, __, a, b: (min(a[0], b[0]), max(a[1], b[1])),
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(host=(1.0, 1.4)),
)

# --- whole numbers, magnitudes, parts of complex numbers ----------------------------------------

for _name, _round in (("floor", hf.floor), ("ceil", hf.ceil), ("fix", hf.fix)):
    primitive(
        _name,
        1,
        _round,
        values=whole_range,
        complex=Complex.KERNELS,
        integers=True,
        whole=True,
        costs=Costs(host=(0.1, 0.4)),
    )
primitive(
    "abs",
    1,
    hf.abs,
    result=Result.REAL,
    values=_abs,
    complex=Complex.KERNELS,
    integers=True,
    costs=Costs(host=(0.13, 0.35)),
)
primitive(
    "real",
    1,
    hf.real,
    result=Result.REAL,
    values=lambda _, a: a,
    complex=Complex.KERNELS,
    integers=True,
)
primitive("imag", 1, hf.imag, result=Result.REAL, complex=Complex.KERNELS, integers=True)
primitive("angle", 1, hf.angle, result=Result.REAL, complex=Complex.KERNELS)
primitive("conj", 1, np.conjugate, complex=Complex.KERNELS, integers=True)
primitive("complex", 2, hf.make_complex, result=Result.COMPLEX, complex=Complex.NONE)

# --- bits of integers ---------------------------------------------------------------------------

for _name, _bits in (
    ("bitand", np.bitwise_and),
    ("bitor", np.bitwise_or),
    ("bitxor", np.bitwise_xor),
    ("bitshift", hf.bitshift),
):
    primitive(_name, 2, _bits, complex=Complex.NONE, integers=True)
