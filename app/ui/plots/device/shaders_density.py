"""WGSL of point densities: points counted once in a fine grid, pictures summed up from it."""

from __future__ import annotations

from app.ui.plots.device.shaders_paint import FULL, PAINT

HALVE = """
struct Size { size: u32, unused_a: u32, unused_b: u32, unused_c: u32 }
@group(0) @binding(0) var<storage, read> view: Size;
@group(0) @binding(1) var<storage, read> fine: array<u32>;
@group(0) @binding(2) var<storage, read_write> coarse: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.size * view.size) { return; }
    let corner = 2u * (k / view.size) * (2u * view.size) + 2u * (k % view.size);
    let below = corner + 2u * view.size;
    coarse[k] = fine[corner] + fine[corner + 1u] + fine[below] + fine[below + 1u];
}
"""
"""The sums of two by two cells."""

GATHER = """
struct Window {
    start: vec2f, step: vec2f, width: u32, height: u32, size: u32, unused: u32,
}
@group(0) @binding(0) var<storage, read> view: Window;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read_write> hits: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.width * view.height) { return; }
    let pixel = vec2f(f32(k % view.width), f32(k / view.width));
    let a = view.start + pixel * view.step;
    let b = a + view.step;
    let low = clamp(min(a, b), vec2f(0.0), vec2f(f32(view.size)));
    let high = clamp(max(a, b), vec2f(0.0), vec2f(f32(view.size)));
    var sum = 0.0;
    var own = 0u;
    for (var j = u32(low.y); f32(j) < high.y; j++) {
        let down = min(f32(j + 1u), high.y) - max(f32(j), low.y);
        for (var i = u32(low.x); f32(i) < high.x; i++) {
            let n = cells[j * view.size + i];
            if (n == 0u) { continue; }
            sum += f32(n) * down * (min(f32(i + 1u), high.x) - max(f32(i), low.x));
            let centre = vec2f(f32(i), f32(j)) + 0.5;
            own |= select(0u, 1u, all(centre >= low) && all(centre < high));
        }
    }
    hits[k] = max(u32(round(sum)), own);
}
"""
"""How many points a pixel has: cells count by their share; no single point gets lost."""

SCAN = """
@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>;
@group(0) @binding(2) var<storage, read_write> cursors: array<u32>;
var<workgroup> sums: array<u32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let share = arrayLength(&counts) / 256u;
    var sum = 0u;
    for (var k = 0u; k < share; k++) { sum += counts[lane * share + k]; }
    sums[lane] = sum;
    workgroupBarrier();
    var at = 0u;
    for (var k = 0u; k < lane; k++) { at += sums[k]; }
    for (var k = 0u; k < share; k++) {
        starts[lane * share + k] = at;
        cursors[lane * share + k] = at;
        at += counts[lane * share + k];
    }
    if (lane == 255u) { starts[share * 256u] = at; }
}
"""
"""Where the points of every tile begin, once they lie in the order of tiles."""

ORDER = """
@group(0) @binding(3) var<storage, read_write> cursors: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> order: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= view.count) { return; }
    let p = vec2f(place_x(k), place_y(k));
    if (!is_finite(p.x) || !is_finite(p.y)) { return; }
    if (p.x < 0.0 || p.y < 0.0 || p.x >= view.width || p.y >= view.height) { return; }
    let tile = vec2u(p) / view.columns;
    order[atomicAdd(&cursors[tile.y * (u32(view.width) / view.columns) + tile.x], 1u)] = k;
}
"""
"""The numbers of the points, in the order of their tiles."""

SPLAT_TILES = """
struct Tiles { left: u32, top: u32, across: u32, size: u32 }
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> tiles: Tiles;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32,
        @builtin(num_workgroups) groups: vec3u) {
    let number = group.x + group.y * groups.x;
    let tile = vec2u(tiles.left + number % tiles.across, tiles.top + number / tiles.across);
    if (tile.y >= tiles.size) { return; }
    let place = tile.y * tiles.size + tile.x;
    for (var n = starts[place] + lane; n < starts[place + 1u]; n += 256u) {
        let k = order[n];
        let p = vec2f(place_x(k), place_y(k));
        if (p.x < 0.0 || p.y < 0.0 || p.x >= view.width || p.y >= view.height) { continue; }
        atomicAdd(&hits[u32(p.y) * u32(view.width) + u32(p.x)], 1u);
    }
}
"""
"""Counts the points of some tiles per pixel."""

BLOCK = 8
"""Pixels of a block's side."""

OCCUPIED = """
struct Size { width: u32, height: u32, across: u32, down: u32 }
@group(0) @binding(0) var<storage, read> view: Size;
@group(0) @binding(1) var<storage, read> hits: array<u32>;
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.across * view.down) { return; }
    let corner = vec2u(k % view.across, k / view.across) * 8u;
    let end = min(corner + 8u, vec2u(view.width, view.height));
    var any = 0u;
    for (var j = corner.y; j < end.y; j++) {
        for (var i = corner.x; i < end.x; i++) { any |= hits[j * view.width + i]; }
    }
    blocks[k] = any;
}
"""
"""Which blocks of pixels have points."""

_FAR = """
fn is_far(low: vec2u, high: vec2u, across: u32) -> bool {
    var any = 0u;
    for (var j = low.y / 8u; j <= high.y / 8u; j++) {
        for (var i = low.x / 8u; i <= high.x / 8u; i++) { any |= blocks[j * across + i]; }
    }
    return any == 0u;
}
"""

NEAREST = (
    """
struct Size { width: u32, height: u32, reach: u32, unused: u32 }
@group(0) @binding(0) var<storage, read> view: Size;
@group(0) @binding(1) var<storage, read> hits: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
@group(0) @binding(3) var<storage, read_write> nearest: array<u32>;
"""
    + _FAR
    + """
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.width * view.height) { return; }
    let x = k % view.width;
    let y = k / view.width;
    var n = hits[k];
    var way = 0u;
    let low = x - min(x, view.reach);
    let high = min(x + view.reach, view.width - 1u);
    if (n == 0u && !is_far(vec2u(low, y), vec2u(high, y), (view.width + 7u) / 8u)) {
        for (way = 1u; way <= view.reach && n == 0u; way++) {
            if (x >= way) { n = hits[k - way]; }
            if (x + way < view.width) { n = max(n, hits[k + way]); }
        }
        way -= 1u;
    }
    nearest[k] = select(0u, (way << 24u) | min(n, 0xffffffu), n > 0u);
}
"""
)
"""The nearest pixel with points in the same row: how far it is, and how many it has."""

DENSITY = (
    PAINT
    + FULL
    + """
@group(0) @binding(1) var<storage, read> nearest: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
"""
    + _FAR
    + """
@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    let size = vec2u(paint.size);
    let centre = vec2u(place.xy);
    let reach = u32(ceil(paint.radius));
    let low = centre - min(centre, vec2u(reach));
    let high = min(centre + reach, size - 1u);
    if (is_far(low, high, (size.x + 7u) / 8u)) { return vec4f(0.0); }
    var best = f32((reach + 1u) * (reach + 1u));
    var count = 0u;
    for (var dy = 0u; dy <= reach && f32(dy * dy) < best; dy++) {
        for (var side = 0u; side < 2u; side++) {
            let y = select(centre.y + dy, centre.y - dy, side == 1u);
            if (y >= size.y) { continue; }  // above the first row it is very large
            let found = nearest[y * size.x + centre.x];
            let way = found >> 24u;
            let far = f32(way * way + dy * dy);
            if (found != 0u && far < best) {
                best = far;
                count = found & 0xffffffu;
            }
        }
    }
    let coverage = clamp(paint.radius + 0.5 - sqrt(best), 0.0, 1.0);
    let weight = clamp(0.28 + 0.12 * log2(f32(count) + 1.0), 0.0, 1.0);
    return select(vec4f(0.0), paint.color * (coverage * weight), count > 0u);
}
"""
)
"""Very many markers: the more points on a pixel, the stronger its colour; the nearest one reaches
over the pixels around it that have no points of their own."""
