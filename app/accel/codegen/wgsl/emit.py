"""The growing text of a shader: helpers, elementary functions, bindings, parameters."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.accel.codegen.elementary.trace import library, prelude
from app.accel.ir.dtypes import DType
from app.records import mutable_record, record

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities

HEADER_WORDS = 8
"""Words before a kernel's own parameters: zero, count, status slot, and five for templates."""

PARAM_WORDS = {DType.F64: 2, DType.I64: 2, DType.U64: 2, DType.C64: 2, DType.C128: 4}


@mutable_record
class Source:
    """Collects what the statements of a kernel refer to.

    Attributes:
        helpers: WGSL functions by name.
        late: functions that call elementary functions.
        functions: elementary functions called, with their widths.
        widths: float widths whose exact sums and products are used.
        abilities: what the adapter's shaders can do.
    """

    abilities: Abilities
    helpers: dict[str, str] = field(default_factory=dict)
    late: dict[str, str] = field(default_factory=dict)
    functions: set[tuple[str, int]] = field(default_factory=set)
    widths: set[int] = field(default_factory=set)

    def helper(self, name: str, text: str) -> None:
        """Add WGSL functions, once."""
        self.helpers[name] = text

    def late_helper(self, name: str, text: str) -> None:
        """Add functions that call elementary functions."""
        self.late[name] = text

    def elementary(self, name: str, width: int) -> None:
        """An elementary function is called."""
        self.functions.add((name, width))
        self.widths.add(width)

    def preamble(self) -> str:
        """All that was asked for."""
        fused = self.abilities.fused
        parts = [prelude(self.widths, fused=fused), library(self.functions, fused=fused)]
        return "\n".join([*parts, *self.helpers.values(), *self.late.values()])


def domain_report(guarded: bool, indent: str = "    ") -> list[str]:
    """The end of a guarded kernel: an element that left the real domain is told to the host."""
    return [f"{indent}if (left) {{ atomicOr(&status[p[0].z], 1u); }}"] if guarded else []


def word(index: int) -> str:
    """A word of the parameters."""
    return f"p[{index // 4}].{'xyzw'[index % 4]}"


def _long_word(index: int) -> str:
    return f"(u64({word(index)}) | (u64({word(index + 1)}) << 32u))"


def parameter(dtype: DType, index: int, *, int64: bool = True) -> str:
    """A typed parameter from its first word; two words where shaders have no 64-bit integers."""
    if dtype is DType.U64 and not int64:
        return f"vec2<u32>({word(index)}, {word(index + 1)})"
    match dtype:
        case DType.F32:
            return f"bitcast<f32>({word(index)})"
        case DType.F64:
            return f"bitcast<f64>{_long_word(index)}"
        case DType.I64:
            return f"bitcast<i64>{_long_word(index)}"
        case DType.U64:
            return _long_word(index)
        case DType.BOOL:
            return f"({word(index)} != 0u)"
        case DType.C64:
            return f"vec2<f32>({parameter(DType.F32, index)}, {parameter(DType.F32, index + 1)})"
        case DType.C128:
            return f"vec2<f64>({parameter(DType.F64, index)}, {parameter(DType.F64, index + 2)})"
    if dtype.kind == "i":
        return f"bitcast<i32>({word(index)})"
    return word(index)


@record
class Words:
    """Where everything lies among the parameter words.

    Attributes:
        extents: word of the first extent.
        maps: per map, the word of its offset; its strides follow.
        params: per scalar parameter, its first word.
        total: number of words, a multiple of four.
    """

    extents: int
    maps: tuple[int, ...]
    params: tuple[int, ...]
    total: int


def arrange(extents: int, rank: int, maps: int, params: tuple[DType, ...]) -> Words:
    """Lay out the parameter words of a kernel."""
    at = HEADER_WORDS + extents
    places = tuple(at + k * (rank + 1) for k in range(maps))
    at += maps * (rank + 1)
    slots = []
    for dtype in params:
        slots.append(at)
        at += PARAM_WORDS.get(dtype, 1)
    return Words(HEADER_WORDS, places, tuple(slots), -(-at // 4) * 4)
