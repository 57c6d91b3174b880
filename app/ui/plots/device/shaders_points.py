"""WGSL of what prepares points: blocks of them reduced once, points in space, their density."""

from __future__ import annotations

from app.ui.plots.device.shaders import REDUCE, VIEW, array_source

BLOCK = 128
"""Points that are reduced together, once, in lines of many points; as many blocks make a block of
the next level."""
MOST = 16 * BLOCK
"""Longer stretches of points are rounded to blocks (and of blocks to those of the next level),
which moves their ends by less than a sixteenth of a pixel."""

_BLOCKS = """
@group(0) @binding(5) var<storage, read_write> blocks: array<vec2<VALUE>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let block = id.x + id.y * groups.x * 64u;
    if (block >= view.columns) { return; }
    var ends = vec2<VALUE>(VALUE(3.0e38), VALUE(-3.0e38));
    let last = view.count - 1u;
    for (var k = 0u; k < 128u; k += 4u) {
        for (var l = 0u; l < 4u; l++) {
            let v = load_y(min(block * 128u + k + l, last) + view.y_offset);
            let there = usable_y(v);
            ends = vec2<VALUE>(min(ends.x, select(ends.x, v, there)),
                               max(ends.y, select(ends.y, v, there)));
        }
    }
    blocks[block] = ends;
}
"""
_SECOND = """
@group(0) @binding(5) var<storage, read> blocks: array<vec2<VALUE>>;
@group(0) @binding(6) var<storage, read_write> larger: array<vec2<VALUE>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= view.columns) { return; }
    var ends = blocks[id.x * 128u];
    for (var k = 1u; k < 128u; k++) {
        let other = blocks[min(id.x * 128u + k, view.count - 1u)];
        ends = vec2<VALUE>(min(ends.x, other.x), max(ends.y, other.y));
    }
    larger[id.x] = ends;
}
"""
_WITHOUT = """
fn blocks_of(ends: ptr<function, vec2<VALUE>>, begin: u32, end: u32) -> u32 { return end; }
"""
_WITH = """
@group(0) @binding(5) var<storage, read> blocks: array<vec2<VALUE>>;
@group(0) @binding(6) var<storage, read> larger: array<vec2<VALUE>>;
fn blocks_of(ends: ptr<function, vec2<VALUE>>, begin: u32, end: u32) -> u32 {
    if (end - begin < 2048u) { return end; }
    let wide = end - begin >= 262144u;
    let size = select(128u, 16384u, wide);
    let last = (end + size - 1u) / size;
    var found = *ends;
    for (var b = begin / size; b < last; b++) {
        var other: vec2<VALUE>;
        if (wide) { other = larger[b]; } else { other = blocks[b]; }
        found = vec2<VALUE>(min(found.x, other.x), max(found.y, other.y));
    }
    *ends = found;
    return begin;
}
"""


def block_source(value: str) -> str:
    """The pass that finds the lowest and the highest of every block of ordinates."""
    return _BLOCKS.replace("VALUE", value)


def second_source(value: str) -> str:
    """The pass that makes larger blocks of blocks."""
    return VIEW + _SECOND.replace("VALUE", value)


def reduce_source(value: str, *, blocks: bool) -> str:
    """The pass that reduces pixel columns, with the help of blocks or without."""
    return ((_WITH if blocks else _WITHOUT) + REDUCE).replace("VALUE", value)


_SPACE = """
struct Space {
    right: vec4f, down: vec4f, low: vec4f, span: vec4f, sides: vec4f, frame: vec4f,
    starts: vec4f, steps: vec4f,
    x_offset: u32, y_offset: u32, z_offset: u32, first: u32,
    total: u32, logs: u32, unused: vec2u,
}
@group(0) @binding(0) var<storage, read> view: Space;
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
fn on_axis(value: f32, axis: u32) -> f32 {
    var v = value;
    if ((view.logs & (1u << axis)) != 0u) {
        v = select(bitcast<f32>(0x7fc00000u | view.total * 0u), log2(value) * 0.30102999566,
                   value > 0.0);
    }
    return ((v - view.low[axis]) / view.span[axis] - 0.5) * view.sides[axis];
}
"""
_SPACE_MAIN = """
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= view.total) { return; }
    let i = k + view.first;
    let p = vec3f(on_axis(at_x(i), 0u), on_axis(at_y(i), 1u), on_axis(at_z(i), 2u));
    let place = vec2f(dot(p, view.right.xyz), dot(p, view.down.xyz)) * view.frame.zw
                + view.frame.xy;
    let there = is_finite(place.x) && is_finite(place.y);
    points[k] = select(vec4f(0.0), vec4f(place, 1.0, 0.0), there);
}
"""


def space_source(layouts: list[str]) -> str:
    """The pass that places points in space, for coordinates with these layouts."""
    parts = [_SPACE]
    for place, (letter, layout) in enumerate(zip("xyz", layouts, strict=True)):
        if layout == "range":
            value = f"view.starts[{place}] + view.steps[{place}] * f32(i)"
        else:
            parts.append(array_source(letter, place + 1, layout))
            value = f"f32(load_{letter}(i + view.{letter}_offset))"
        parts.append(f"fn at_{letter}(i: u32) -> f32 {{ return {value}; }}\n")
    return "".join([*parts, _SPACE_MAIN])


SPLAT_POINTS = """
struct Size { width: f32, height: f32, total: u32, unused: u32 }
@group(0) @binding(0) var<storage, read> size: Size;
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> hits: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= size.total) { return; }
    let p = points[k];
    if (p.z <= 0.0 || p.x < 0.0 || p.y < 0.0 || p.x >= size.width || p.y >= size.height) {
        return;
    }
    atomicAdd(&hits[u32(p.y) * u32(size.width) + u32(p.x)], 1u);
}
"""
"""Counts points that already are in pixels."""

_PILES = """
struct Size { width: f32, height: f32, total: u32, unused: u32 }
struct Pile { count: COUNT, color: COUNT, size: COUNT }
@group(0) @binding(0) var<storage, read> size: Size;
"""
PILE = (
    _PILES.replace("COUNT", "atomic<u32>")
    + """
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> piles: array<Pile>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= size.total) { return; }
    let p = points[k];
    if (p.z <= 0.0 || p.x < 0.0 || p.y < 0.0 || p.x >= size.width || p.y >= size.height) {
        return;
    }
    let pixel = u32(p.y) * u32(size.width) + u32(p.x);
    if (atomicAdd(&piles[pixel].count, 1u) >= 65536u) { return; }
    atomicAdd(&piles[pixel].color, u32(clamp(p.w, 0.0, 65535.0)));
    atomicAdd(&piles[pixel].size, u32(clamp(p.z * 64.0 + 0.5, 1.0, 65535.0)));
}
"""
)
"""Sums up colours and sizes of the points of every pixel; of very many only the first 65536."""
SPOTS = (
    _PILES.replace("COUNT", "u32")
    + """
@group(0) @binding(1) var<storage, read> piles: array<Pile>;
@group(0) @binding(4) var<storage, read_write> spots: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    let width = u32(size.width);
    if (k >= width * u32(size.height)) { return; }
    let pile = piles[k];
    let count = f32(clamp(pile.count, 1u, 65536u));
    let mean = vec2f(f32(pile.size) / 64.0, floor(f32(pile.color) + 0.5 * count)) / count;
    let middle = vec2f(f32(k % width) + 0.5, f32(k / width) + 0.5);
    spots[k] = vec4f(middle, mean.x, floor(mean.y));
}
"""
)
"""A point in the middle of every pixel that has any, with their mean colour and size."""
