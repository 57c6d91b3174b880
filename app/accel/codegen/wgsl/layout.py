"""How elements lie in device buffers and travel to and from registers.

Small types are packed: four bytes or two halves to a word. A *quad* is four consecutive elements;
aligned code moves quads, everything else moves single elements.
"""

from __future__ import annotations

from app.accel.ir.dtypes import DType
from app.errors import Unsupported
from app.records import record


@record
class Layout:
    """Names of one element type in WGSL.

    Attributes:
        register: type of a value.
        element: type of a storage array accessed element by element.
        quad: type of a storage array accessed by quads.
        quads: array entries in one quad.
        packed: elements in a word, 1 where an entry holds one element or more.
    """

    register: str
    element: str
    quad: str
    quads: int = 1
    packed: int = 1


LAYOUTS: dict[DType, Layout] = {
    DType.F32: Layout("f32", "f32", "vec4<f32>"),
    DType.F64: Layout("f64", "f64", "vec4<f64>"),
    DType.I32: Layout("i32", "i32", "vec4<i32>"),
    DType.U32: Layout("u32", "u32", "vec4<u32>"),
    DType.I64: Layout("i64", "i64", "vec4<i64>"),
    DType.U64: Layout("u64", "u64", "vec4<u64>"),
    DType.I8: Layout("i32", "u32", "u32", packed=4),
    DType.U8: Layout("u32", "u32", "u32", packed=4),
    DType.BOOL: Layout("bool", "u32", "u32", packed=4),
    DType.I16: Layout("i32", "u32", "vec2<u32>", packed=2),
    DType.U16: Layout("u32", "u32", "vec2<u32>", packed=2),
    DType.C64: Layout("vec2<f32>", "vec2<f32>", "vec4<f32>", quads=2),
    DType.C128: Layout("vec2<f64>", "vec2<f64>", "vec4<f64>", quads=2),
}

WIDE = frozenset({DType.F64, DType.C128})
LONG = frozenset({DType.I64, DType.U64})


def register(dtype: DType) -> str:
    """The WGSL type of a value."""
    return LAYOUTS[dtype].register


def entries(dtype: DType, quads: bool) -> str:
    """The type of the storage array's entries."""
    layout = LAYOUTS[dtype]
    return layout.quad if quads else layout.element


def _unpack(word: str, dtype: DType, shift: str) -> str:
    bits = 32 // LAYOUTS[dtype].packed
    if dtype is DType.BOOL:
        return f"(extractBits({word}, {shift}, 8u) != 0u)"
    if dtype.kind == "i":
        return f"extractBits(bitcast<i32>({word}), {shift}, {bits}u)"
    return f"extractBits({word}, {shift}, {bits}u)"


def _pack(value: str, dtype: DType, shift: str) -> str:
    bits = 32 // LAYOUTS[dtype].packed
    if dtype is DType.BOOL:
        return f"(select(0u, 1u, {value}) << {shift})"
    word = f"bitcast<u32>({value})" if dtype.kind == "i" else value
    return f"(({word} & {(1 << bits) - 1:#x}u) << {shift})"


def load_element(array: str, dtype: DType, index: str) -> str:
    """Expression for one element."""
    packed = LAYOUTS[dtype].packed
    if packed == 1:
        return f"{array}[{index}]"
    step, bits = (2, 8) if packed == 4 else (1, 16)
    shift = f"((({index}) & {packed - 1}u) * {bits}u)"
    return _unpack(f"{array}[({index}) >> {step}u]", dtype, shift)


def store_element(array: str, dtype: DType, index: str, value: str) -> list[str]:
    """Statements that write one element; a packed array is one of atomic words."""
    packed = LAYOUTS[dtype].packed
    if packed == 1:
        return [f"{array}[{index}] = {value};"]
    step, bits = (2, 8) if packed == 4 else (1, 16)
    shift = f"((({index}) & {packed - 1}u) * {bits}u)"
    word = f"&{array}[({index}) >> {step}u]"
    return [
        f"atomicAnd({word}, ~({(1 << bits) - 1:#x}u << {shift}));",
        f"atomicOr({word}, {_pack(value, dtype, shift)});",
    ]


def load_quad(array: str, dtype: DType, quad: str, name: str) -> tuple[list[str], list[str]]:
    """Statements that read a quad, and the expressions of its four lanes."""
    layout = LAYOUTS[dtype]
    if layout.quads == 2:
        lines = [
            f"let {name}a = {array}[2u * ({quad})];",
            f"let {name}b = {array}[2u * ({quad}) + 1u];",
        ]
        return lines, [f"{name}a.xy", f"{name}a.zw", f"{name}b.xy", f"{name}b.zw"]
    lines = [f"let {name} = {array}[{quad}];"]
    if layout.packed == 4:
        return lines, [_unpack(name, dtype, f"{8 * k}u") for k in range(4)]
    if layout.packed == 2:
        return lines, [
            _unpack(f"{name}.{'xy'[k // 2]}", dtype, f"{16 * (k % 2)}u") for k in range(4)
        ]
    return lines, [f"{name}.{c}" for c in "xyzw"]


def store_quad(array: str, dtype: DType, quad: str, lanes: list[str]) -> list[str]:
    """Statements that write a quad."""
    layout = LAYOUTS[dtype]
    if layout.quads == 2:
        first, second = (f"{layout.quad}({', '.join(two)})" for two in (lanes[:2], lanes[2:]))
        return [f"{array}[2u * ({quad})] = {first};", f"{array}[2u * ({quad}) + 1u] = {second};"]
    if layout.packed == 4:
        word = " | ".join(_pack(v, dtype, f"{8 * k}u") for k, v in enumerate(lanes))
        return [f"{array}[{quad}] = {word};"]
    if layout.packed == 2:
        halves = [_pack(v, dtype, f"{16 * (k % 2)}u") for k, v in enumerate(lanes)]
        both = f"{halves[0]} | {halves[1]}, {halves[2]} | {halves[3]}"
        return [f"{array}[{quad}] = vec2<u32>({both});"]
    return [f"{array}[{quad}] = {layout.quad}({', '.join(lanes)});"]


@record
class Abilities:
    """What the adapter's shaders can do.

    Attributes:
        f64: hold doubles.
        int64: hold 64-bit integers.
        fused: compute fma with one rounding.
        fast: may use the language's own functions for singles (a user's choice).
        workgroup_bytes: workgroup memory that saves ways to memory; 0 on processors.
        workgroup_lanes: the most invocations of a workgroup.
        subgroup_lanes: lanes of a subgroup that can vote and count, 32 or at least 8; 0 where
            none can.
    """

    f64: bool
    int64: bool
    fused: bool = False
    fast: bool = False
    workgroup_bytes: int = 0
    workgroup_lanes: int = 256
    subgroup_lanes: int = 0

    def check(self, dtype: DType) -> None:
        """Raise Unsupported for a type the shaders do not have."""
        if dtype in WIDE and not (self.f64 and self.int64):
            raise Unsupported("the adapter's shaders have no double precision")
        if dtype in LONG and not self.int64:
            raise Unsupported("the adapter's shaders have no 64-bit integers")
