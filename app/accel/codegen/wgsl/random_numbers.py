"""WGSL of the counter-based random numbers defined in `app.accel.codegen.philox`.

Keys and numbers of elements are 64-bit integers. Shaders that have none hold them as two words and
multiply in halves; the numbers drawn are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.elementary.trace import wgsl_name
from app.accel.codegen.wgsl.integers import WIDE_PRODUCT
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source

_ROUND = wgsl_text("random_numbers/round")
_NARROW_ROUND = wgsl_text("random_numbers/narrow_round")
_BUMP = "    k = k + vec2<u32>(0x9e3779b9u, 0xbb67ae85u);\n"
PHILOX = (
    "// Philox4x32-10: the random words of one block.\n"
    "fn philox(key: u64, block: u64) -> vec4<u32> {\n"
    "    var x = vec4<u32>(u32(block & 0xfffffffflu), u32(block >> 32u), 0u, 0u);\n"
    "    var k = vec2<u32>(u32(key & 0xfffffffflu), u32(key >> 32u));\n"
    "    var a: u64; var b: u64;\n" + (_ROUND + _BUMP) * 9 + _ROUND + "    return x;\n}"
)
NARROW_PHILOX = (
    "// Philox4x32-10: the random words of one block.\n"
    "fn philox(key: vec2<u32>, block: vec2<u32>) -> vec4<u32> {\n"
    "    var x = vec4<u32>(block, 0u, 0u);\n"
    "    var k = key;\n" + (_NARROW_ROUND + _BUMP) * 9 + _NARROW_ROUND + "    return x;\n}"
)
FURTHER = wgsl_text("random_numbers/further")
ADVANCED = wgsl_text("random_numbers/advanced")
UNIT_32 = wgsl_text("random_numbers/unit_32")
UNIFORM_32 = (
    UNIT_32
    + """\
fn uniform_quad_f32(key: u64, e: u64) -> vec4<f32> { return unit_f32(philox(key, e >> 2u)); }"""
)
NARROW_UNIFORM_32 = (
    UNIT_32
    + """\
fn uniform_quad_f32(key: vec2<u32>, e: vec2<u32>) -> vec4<f32> {
    return unit_f32(philox(key, vec2<u32>((e.x >> 2u) | (e.y << 30u), e.y >> 2u)));
}"""
)
UNIFORM_64 = wgsl_text("random_numbers/uniform_64")
NORMAL = wgsl_template("random_numbers/normal")
FAST_NORMAL = wgsl_text("random_numbers/fast_normal")
SINGLE_32 = """\
fn {kind}_f32(key: u64, e: u64) -> f32 {{ return {kind}_quad_f32(key, e)[u32(e & 3lu)]; }}"""
NARROW_SINGLE_32 = wgsl_template("random_numbers/narrow_single_32")
SINGLE_64 = """\
fn uniform_f64(key: u64, e: u64) -> f64 {{ return uniform_pair_f64(key, e)[u32(e & 1lu)]; }}"""
SINGLE_NORMAL_64 = wgsl_template("random_numbers/single_normal_64")


def random(source: Source, op: str, dtype: DType, *, quad: bool) -> str:
    """The name of the function ``(key, element) -> number`` (or four, of an aligned element)."""
    width, t = (64, "f64") if dtype is DType.F64 else (32, "f32")
    kind = op.removeprefix("random_")
    pair = wgsl_name("normal_pair", width)
    wide = source.abilities.int64
    single = UNIFORM_32 if wide else NARROW_UNIFORM_32
    _words(source)
    source.widths.add(width)
    source.helper(f"uniform_quad_{t}", UNIFORM_64 if width == 64 else single)
    if kind == "normal" and width == 32 and source.abilities.fast:
        source.late_helper("normal_quad_f32", _without_long_integers(FAST_NORMAL, wide))
    elif kind == "normal":
        source.elementary("normal_pair", width)
        source.late_helper(
            f"normal_quad_{t}", _without_long_integers(NORMAL.format(t=t, pair=pair), wide)
        )
    if quad:
        return f"{kind}_quad_{t}"
    double = SINGLE_NORMAL_64 if kind == "normal" else SINGLE_64
    text = (SINGLE_32 if wide else NARROW_SINGLE_32) if width == 32 else double
    source.late_helper(f"{kind}_{t}", text.format(kind=kind, pair=pair))
    return f"{kind}_{t}"


def _words(source: Source) -> None:
    """The function that gives the random words of a block."""
    if source.abilities.int64:
        source.helper("philox", PHILOX)
        return
    source.helper("high_u32", WIDE_PRODUCT)
    source.helper("philox", NARROW_PHILOX)


def _without_long_integers(text: str, wide: bool) -> str:
    """A function that only hands on its 64-bit integers, for shaders that have none."""
    return text if wide else text.replace("u64", "vec2<u32>")


def element(source: Source, offset: str, number: str) -> str:
    """The element `number` places after `offset`, a 64-bit integer."""
    if source.abilities.int64:
        return f"{offset} + u64({number})"
    source.helper("further", FURTHER)
    return f"further({offset}, {number})"


def advance(source: Source, offset: str, times: str, by: str) -> str:
    """The 64-bit integer ``offset + times * by``."""
    if source.abilities.int64:
        return f"({offset} + u64({times}) * {by})"
    source.helper("high_u32", WIDE_PRODUCT)
    source.helper("further", FURTHER)
    source.helper("advanced", ADVANCED)
    return f"advanced({offset}, {times}, {by})"
