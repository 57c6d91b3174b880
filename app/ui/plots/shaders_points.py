"""WGSL of what prepares points: blocks of them reduced once, points in space, their density."""

from __future__ import annotations

from app.ui.plots.shaders import array_source

BLOCK = 1024
"""Points that are reduced together, once, in lines of very many points."""
MIN_BLOCKS = 16
"""Stretches of fewer blocks are reduced point by point; longer ones are rounded to blocks, which
moves their ends by less than a sixteenth of a pixel."""

BLOCKS = """
@group(0) @binding(5) var<storage, read_write> blocks: array<VALUE>;
const GROUP = 256u;
var<workgroup> lows: array<VALUE, 256>;
var<workgroup> highs: array<VALUE, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) lane: u32) {
    let block = group.x + group.y * groups.x;
    if (block >= view.columns) { return; }
    var low = VALUE(3.0e38);
    var high = VALUE(-3.0e38);
    for (var k = 0u; k < 4u; k++) {
        let v = load_y(min(block * 1024u + k * GROUP + lane, view.count - 1u) + view.y_offset);
        let there = usable_y(v);
        low = min(low, select(low, v, there));
        high = max(high, select(high, v, there));
    }
    lows[lane] = low;
    highs[lane] = high;
    workgroupBarrier();
    for (var half = GROUP / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            lows[lane] = min(lows[lane], lows[lane + half]);
            highs[lane] = max(highs[lane], highs[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        blocks[2u * block] = lows[0];
        blocks[2u * block + 1u] = highs[0];
    }
}
"""
"""Lowest and highest of every 1024 ordinates. ``VALUE`` stands for their type."""

_LOADED = "    // Four loads in flight.\n"
_BLOCKED = """    let rounded = end - begin >= 16u * 1024u;
    if (rounded) {
        let last = (end + 1023u) / 1024u;
        for (var b = begin / 1024u + lane; b < last; b += GROUP) {
            low = min(low, blocks[2u * b]);
            high = max(high, blocks[2u * b + 1u]);
        }
    }
    let stop = select(end, begin, rounded);
    // Four loads in flight.
"""


def with_blocks(reduce: str, value: str) -> str:
    """The shader that reduces columns, reading blocks where a column holds many."""
    head = f"@group(0) @binding(5) var<storage, read> blocks: array<{value}>;\n"
    body = reduce.replace(_LOADED, _BLOCKED)
    return head + body.replace("i < end; i += 4u * GROUP", "i < stop; i += 4u * GROUP")


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
