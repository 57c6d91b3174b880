"""WGSL of the counter-based random numbers defined in `app.accel.philox`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.dtypes import DType
from app.accel.functions.registry import load, wgsl_name

if TYPE_CHECKING:
    from app.accel.kernels.text import Source

_ROUND = """\
    a = u64(x.x) * 0xd2511f53lu; b = u64(x.z) * 0xcd9e8d57lu;
    x = vec4<u32>(u32(b >> 32u) ^ x.y ^ k.x, u32(b & 0xfffffffflu),
                  u32(a >> 32u) ^ x.w ^ k.y, u32(a & 0xfffffffflu));
"""
_BUMP = "    k = k + vec2<u32>(0x9e3779b9u, 0xbb67ae85u);\n"
PHILOX = (
    "// Philox4x32-10: the random words of one block.\n"
    "fn philox(key: u64, block: u64) -> vec4<u32> {\n"
    "    var x = vec4<u32>(u32(block & 0xfffffffflu), u32(block >> 32u), 0u, 0u);\n"
    "    var k = vec2<u32>(u32(key & 0xfffffffflu), u32(key >> 32u));\n"
    "    var a: u64; var b: u64;\n" + (_ROUND + _BUMP) * 9 + _ROUND + "    return x;\n}"
)
UNIFORM_32 = """\
fn unit_f32(w: vec4<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>((w >> vec4<u32>(9u)) | vec4<u32>(0x3f800000u))
        - vec4<f32>(bitcast<f32>(0x3f7fffffu | zero));
}
fn uniform_quad_f32(key: u64, e: u64) -> vec4<f32> { return unit_f32(philox(key, e >> 2u)); }"""
UNIFORM_64 = """\
fn unit_f64(high: u32, low: u32) -> f64 {
    let m = (u64(high) << 20u) | u64(low >> 12u);
    return bitcast<f64>(m | 0x3ff0000000000000lu) - bitcast<f64>(0x3feffffffffffffflu | u64(zero));
}
fn uniform_pair_f64(key: u64, e: u64) -> vec2<f64> {
    let w = philox(key, e >> 1u);
    return vec2<f64>(unit_f64(w.x, w.y), unit_f64(w.z, w.w));
}
fn uniform_quad_f64(key: u64, e: u64) -> vec4<f64> {
    return vec4<f64>(uniform_pair_f64(key, e), uniform_pair_f64(key, e + 2lu));
}"""
NORMAL = """\
fn normal_quad_{t}(key: u64, e: u64) -> vec4<{t}> {{
    let u = uniform_quad_{t}(key, e);
    return vec4<{t}>({pair}(u.x, u.y), {pair}(u.z, u.w));
}}"""
FAST_NORMAL = """\
// Box and Muller with the shader language's own functions (fast maths).
fn normal_quad_f32(key: u64, e: u64) -> vec4<f32> {
    let u = uniform_quad_f32(key, e);
    let r = sqrt(-2.0 * log(u.xz));
    let a = 6.2831853 * u.yw;
    return vec4<f32>(r.x * cos(a.x), r.x * sin(a.x), r.y * cos(a.y), r.y * sin(a.y));
}"""
SINGLE_32 = """\
fn {kind}_f32(key: u64, e: u64) -> f32 {{ return {kind}_quad_f32(key, e)[u32(e & 3lu)]; }}"""
SINGLE_64 = """\
fn uniform_f64(key: u64, e: u64) -> f64 {{ return uniform_pair_f64(key, e)[u32(e & 1lu)]; }}"""
SINGLE_NORMAL_64 = """\
fn normal_f64(key: u64, e: u64) -> f64 {{
    let u = uniform_pair_f64(key, e);
    return {pair}(u.x, u.y)[u32(e & 1lu)];
}}"""


def random(source: Source, op: str, dtype: DType, *, quad: bool) -> str:
    """The name of the function ``(key, element) -> number`` (or four, of an aligned element)."""
    load()
    width, t = (64, "f64") if dtype is DType.F64 else (32, "f32")
    kind = op.removeprefix("random_")
    pair = wgsl_name("normal_pair", width)
    source.helper("philox", PHILOX)
    source.helper(f"uniform_quad_{t}", UNIFORM_64 if width == 64 else UNIFORM_32)
    if kind == "normal" and width == 32 and source.abilities.fast:
        source.late_helper("normal_quad_f32", FAST_NORMAL)
    elif kind == "normal":
        source.elementary("normal_pair", width)
        source.late_helper(f"normal_quad_{t}", NORMAL.format(t=t, pair=pair))
    if quad:
        return f"{kind}_quad_{t}"
    double = SINGLE_NORMAL_64 if kind == "normal" else SINGLE_64
    text = SINGLE_32 if width == 32 else double
    source.late_helper(f"{kind}_{t}", text.format(kind=kind, pair=pair))
    return f"{kind}_{t}"
