"""WGSL of the plot layers. Everything works in pixels: x to the right, y down.

Positions are computed relative to the window's corner before they become f32: the corner comes as
two f32 numbers (high and low part), so that a narrow window far from zero stays sharp.
Whether a number is finite is read from its bits: shader compilers assume that NaN does not exist.
"""

from __future__ import annotations

GROUP = 256
"""Threads per workgroup of the compute passes."""

VIEW = """
struct View {
    x_high: f32, x_low: f32, x_scale: f32, x_log: u32,
    y_high: f32, y_low: f32, y_scale: f32, y_log: u32,
    x_offset: u32, y_offset: u32, count: u32, columns: u32,
    range_pixel: f32, range_step: f32, range_base: u32, first: u32,
    range_start: f32, range_unit: f32, width: f32, height: f32,
}
@group(0) @binding(0) var<storage, read> view: View;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
"""
"""Parameters of the compute passes; ``renderer.view_bytes`` packs them."""

_LOADS = {
    "f32": "array<f32>|{a}[i]",
    "f64": "array<f64>|{a}[i]",
    "i32": "array<i32>|f32({a}[i])",
    "u32": "array<u32>|f32({a}[i])",
    "u8": "array<u32>|f32(({a}[i >> 2u] >> ((i & 3u) * 8u)) & 255u)",
    "i8": "array<u32>|f32(bitcast<i32>({a}[i >> 2u] << (24u - (i & 3u) * 8u)) >> 24u)",
    "u16": "array<u32>|f32(({a}[i >> 1u] >> ((i & 1u) * 16u)) & 65535u)",
    "i16": "array<u32>|f32(bitcast<i32>({a}[i >> 1u] << (16u - (i & 1u) * 16u)) >> 16u)",
}
"""Storage type of a buffer and how its element i is read, by layout."""


def array_source(name: str, binding: int, layout: str) -> str:
    """A binding of data with that layout and ``load_<name>(i)``."""
    storage, expression = _LOADS[layout].format(a=name).split("|")
    result = "f64" if layout == "f64" else "f32"
    return (
        f"@group(0) @binding({binding}) var<storage, read> {name}: {storage};\n"
        f"fn load_{name}(i: u32) -> {result} {{ return {expression}; }}\n"
    )


def place_source(letter: str, layout: str) -> str:
    """``at_<letter>(value)`` and ``place_<letter>(i)``: the pixel of a value, and of element i,
    along one axis; not finite where there is none. ``usable_<letter>(value)`` says whether there
    is one."""
    v = "f64" if layout == "f64" else "f32"
    return f"""
fn usable_{letter}(value: {v}) -> bool {{
    let narrow = f32(value);
    return is_finite(narrow) && (view.{letter}_log == 0u || narrow > 0.0);
}}
fn at_{letter}(value: {v}) -> f32 {{
    if (view.{letter}_log != 0u) {{
        let narrow = f32(value);
        if (!(narrow > 0.0)) {{ return bitcast<f32>(0x7fc00000u | view.count * 0u); }}
        let power = log2(narrow) * 0.30102999566;
        return (power - view.{letter}_high - view.{letter}_low) * view.{letter}_scale;
    }}
    return f32((value - {v}(view.{letter}_high) - {v}(view.{letter}_low))
               * {v}(view.{letter}_scale));
}}
fn place_{letter}(i: u32) -> f32 {{ return at_{letter}(load_{letter}(i + view.{letter}_offset)); }}
"""


RANGE_X = """
fn place_x(i: u32) -> f32 {
    if (view.x_log != 0u) {
        let power = log2(view.range_start + view.range_unit * f32(i)) * 0.30102999566;
        return (power - view.x_high - view.x_low) * view.x_scale;
    }
    return view.range_pixel + f32(bitcast<i32>(i - view.range_base)) * view.range_step;
}
"""
"""Pixels of the abscissas start, start+unit, …, which are in no buffer."""

STARTS = """
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x > view.columns) { return; }
    let edge = f32(id.x);
    let last = id.x == view.columns;
    var low = 0u;
    var high = view.count;
    while (low < high) {
        let middle = low + (high - low) / 2u;
        let x = place_x(middle);
        if (x < edge || (last && x <= edge)) { low = middle + 1u; } else { high = middle; }
    }
    starts[id.x] = low;
}
"""
"""Index of the first point of every pixel column; x rises."""

REDUCE = """
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;

fn point(i: u32) -> vec4f {
    let p = vec2f(place_x(i), place_y(i));
    let there = is_finite(p.x) && is_finite(p.y);
    return select(vec4f(0.0), vec4f(p, 1.0, 0.0), there);
}

fn repeat(entry: u32, p: vec4f) {
    for (var k = 0u; k < 4u; k++) { points[entry * 4u + k] = p; }
}

// Nothing in this column: stay where the line was, so that the next piece starts there.
fn stay(entry: u32, begin: u32) {
    let beyond = entry == view.columns + 1u;
    let place = select(begin, starts[view.columns] + 1u, beyond);
    if (place == 0u || place > view.count) {
        repeat(entry, vec4f(0.0, 0.0, -1.0, 0.0));
    } else {
        repeat(entry, point(place - 1u));
    }
}

// Entry 0 is the point left of the window, entry columns+1 the one right of it.
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let entry = id.x;
    if (entry > view.columns + 1u) { return; }
    let outside = entry == 0u || entry == view.columns + 1u;
    let column = clamp(entry, 1u, view.columns) - 1u;
    let begin = starts[column];
    let end = select(starts[column + 1u], begin, outside);
    if (begin >= end) {
        stay(entry, begin);
        return;
    }
    if (end - begin <= 4u) {
        for (var k = 0u; k < 4u; k++) {
            points[entry * 4u + k] = point(min(begin + k, end - 1u));
        }
        return;
    }
    var ends = vec2<VALUE>(VALUE(3.0e38), VALUE(-3.0e38));
    let stop = blocks_of(&ends, begin, end);
    // Four loads in flight.
    for (var i = begin; i < stop; i += 4u) {
        for (var k = 0u; k < 4u; k++) {
            let v = load_y(min(i + k, stop - 1u) + view.y_offset);
            let there = usable_y(v);
            ends = vec2<VALUE>(min(ends.x, select(ends.x, v, there)),
                               max(ends.y, select(ends.y, v, there)));
        }
    }
    if (ends.x > ends.y) {
        repeat(entry, vec4f(0.0));
        return;
    }
    // Among many points in one column their places inside it do not matter: one upright stroke.
    let centre = f32(column) + 0.5;
    let low_point = vec4f(centre, at_y(ends.x), 2.0, 0.0);
    let high_point = vec4f(centre, at_y(ends.y), 2.0, 0.0);
    let first = point(begin);
    let last = point(end - 1u);
    points[entry * 4u] = select(low_point, vec4f(first.xy, 2.0, first.w), first.z > 0.0);
    points[entry * 4u + 1u] = low_point;
    points[entry * 4u + 2u] = high_point;
    points[entry * 4u + 3u] = select(high_point, vec4f(last.xy, 2.0, last.w), last.z > 0.0);
}
"""
"""Four points per pixel column: first, lowest, highest, last. z is 1 for a point, 2 where
it stands for many.
``VALUE`` stands for the type of the ordinates; ``blocks_of`` (see ``shaders_points``) takes in
whole blocks of points and says where what it left out ends."""

TRANSFORM = """
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    let i = k + view.first;
    if (k >= view.columns) { return; }
    if (i >= view.count) { points[k] = vec4f(0.0); return; }
    let p = vec2f(place_x(i), place_y(i));
    let there = is_finite(p.x) && is_finite(p.y);
    points[k] = select(vec4f(0.0), vec4f(p, 1.0, 0.0), there);
}
"""
"""The pixels of the points first … first+columns-1, one by one."""

TINT = """
struct Tint { low: f32, scale: f32, colors: u32, offset: u32, first: u32, total: u32, u: vec2u }
@group(0) @binding(0) var<storage, read> tint: Tint;
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= tint.total) { return; }
    let value = f32(load_c(k + tint.first + tint.offset));
    let place = clamp(floor((value - tint.low) * tint.scale), 0.0, f32(tint.colors - 1u));
    points[k].w = select(0.0, place, is_finite(value));
    points[k].z = select(0.0, points[k].z, is_finite(value));
}
"""
"""Which colour of the palette every point has, in w; points without a value are not drawn."""

SIZES = (
    TINT[: TINT.index("    let place")]
    + """
    let there = is_finite(value) && value > 0.0;
    points[k].z = select(0.0, points[k].z * sqrt(value), there);
}
"""
)
"""How large every marker is: its point counts as many times as the root of its size."""

SORTED = """
@group(0) @binding(3) var<storage, read_write> falls: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.x + id.y * groups.x * 256u;
    if (i + 1u >= view.count) { return; }
    let a = load_x(i + view.x_offset);
    let b = load_x(i + 1u + view.x_offset);
    if (!(b >= a) || !is_finite(f32(a)) || !is_finite(f32(b))) { atomicStore(&falls[0], 1u); }
}
"""
"""Sets a flag when x falls anywhere or has gaps."""

ARC = """
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
var<workgroup> sums: array<f32, 256>;

fn piece(k: u32) -> f32 {
    if (k == 0u) { return 0.0; }
    let a = points[k - 1u];
    let b = points[k];
    let way = abs(b.xy - a.xy);
    let length = select(length(way), way.x + way.y, view.first != 0u);
    return select(0.0, length, a.z > 0.0 && b.z > 0.0);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let total = view.columns;
    let each = (total + 255u) / 256u;
    let begin = min(lane * each, total);
    let end = min(begin + each, total);
    var sum = 0.0;
    for (var k = begin; k < end; k++) { sum += piece(k); }
    sums[lane] = sum;
    workgroupBarrier();
    if (lane == 0u) {
        var before = 0.0;
        for (var k = 0u; k < 256u; k++) {
            let own = sums[k];
            sums[k] = before;
            before += own;
        }
    }
    workgroupBarrier();
    var place = sums[lane];
    for (var k = begin; k < end; k++) {
        place += piece(k);
        points[k].w = place;
    }
}
"""
"""The length of the line (of steps, where ``first`` is not 0) up to every point, in w: what dashes
are measured by."""
