"""WGSL of what joins pairs of points: stems, error bars, arrows, bars, areas.

Points are pixels in ``points``; their partners in ``floors``, or on a base line. Bits of ``flags``
(``paint.mirror``): 1 mirror x, 2 exchange x and y, 4 partners are in ``floors``.
"""

from __future__ import annotations

from app.ui.plots.device.shaders_paint import FULL, PAINT

MIRROR, SWAP, FLOORS = 1, 2, 4

_PAIRS = (
    PAINT
    + """
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(2) var<storage, read> floors: array<vec4f>;

fn turned(p: vec4f) -> vec4f {
    let swapped = (paint.mirror & 2u) != 0u;
    let across = select(paint.size.x, paint.size.y, swapped);
    let x = select(p.x, across - p.x, (paint.mirror & 1u) != 0u);
    return select(vec4f(x, p.yzw), vec4f(p.y, x, p.zw), swapped);
}
fn top(k: u32) -> vec4f { return turned(points[k]); }
// The base line's pixel is in dashes.x.
fn foot(k: u32) -> vec4f {
    if ((paint.mirror & 4u) != 0u) { return turned(floors[k]); }
    let p = points[k];
    return turned(vec4f(p.x, paint.dashes.x, p.z, p.w));
}
fn nowhere() -> vec4f { return vec4f(2.0, 2.0, 2.0, 1.0); }
fn far_end(corner: u32) -> bool { return corner == 1u || corner == 2u || corner == 4u; }
fn far_side(corner: u32) -> bool { return corner == 2u || corner == 4u || corner == 5u; }
"""
)

STROKES = (
    _PAIRS
    + """
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) ends: vec4f,
}

// Which strokes a pair has: 0 the way between them; caps of radius (shape 1) at both ends; or a
// head (shape 2) whose size is radius times the way.
fn stroke(a: vec2f, b: vec2f, part: u32) -> vec4f {
    if (part == 0u) { return vec4f(a, b); }
    let way = b - a;
    let length = max(distance(a, b), 1.0e-9);
    let along = way / length;
    if (paint.shape == 1u) {
        let across = select(vec2f(1.0, 0.0), vec2f(0.0, 1.0), abs(way.x) > abs(way.y))
                     * paint.radius;
        let end = select(a, b, part == 2u);
        return vec4f(end - across, end + across);
    }
    let size = clamp(length * paint.radius, 3.0, 9.0) * paint.edge_width;
    let turn = select(-0.41888, 0.41888, part == 2u);
    let back = -along * size;
    let spun = vec2f(back.x * cos(turn) - back.y * sin(turn),
                     back.x * sin(turn) + back.y * cos(turn));
    return vec4f(b, b + select(vec2f(0.0), spun, length > 1.0));
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) k: u32) -> Corner {
    var out: Corner;
    let a = foot(k);
    let b = top(k);
    let ends = stroke(a.xy, b.xy, index / 6u);
    let start = ends.xy;
    let stop = ends.zw;
    let margin = vec2f(paint.half_width + 2.0);
    let low = min(start, stop);
    let high = max(start, stop);
    let unseen = any(high < -margin) || any(low > paint.size + margin);
    if (a.z <= 0.0 || b.z <= 0.0 || unseen) {
        out.position = nowhere();
        return out;
    }
    let corner = index % 6u;
    let reach = paint.half_width + 1.0;
    let length = distance(start, stop);
    let along = select(vec2f(1.0, 0.0), (stop - start) / max(length, 1.0e-9), length > 1.0e-9);
    let across = vec2f(-along.y, along.x);
    let centre = select(start - along * reach, stop + along * reach, far_end(corner));
    out.place = centre + across * select(-1.0, 1.0, far_side(corner)) * reach;
    out.position = clip(out.place);
    out.ends = ends;
    return out;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let a = corner.ends.xy;
    let d = corner.ends.zw - a;
    let p = corner.place - a;
    let t = dot(p, d) / max(dot(d, d), 1.0e-12);
    let gap = distance(p, d * clamp(t, 0.0, 1.0));
    let coverage = clamp(paint.half_width + 0.5 - gap, 0.0, min(1.0, 2.0 * paint.half_width));
    return paint.color * coverage;
}
"""
)
"""Stems, error bars and arrows."""

BARS = (
    _PAIRS
    + """
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) box: vec4f,
}

// Half the width is radius, the way from the point to the middle is dashes.y.
@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) k: u32) -> Corner {
    var out: Corner;
    let swapped = (paint.mirror & 2u) != 0u;
    let along = select(vec2f(1.0, 0.0), vec2f(0.0, 1.0), swapped);
    let a = foot(k);
    let b = top(k);
    let middle = along * paint.dashes.y;
    let p = a.xy + middle - along * paint.radius;
    let q = b.xy + middle + along * paint.radius;
    let low = max(min(p, q), vec2f(-1.0e4));
    let high = min(max(p, q), paint.size + vec2f(1.0e4));
    if (a.z <= 0.0 || b.z <= 0.0 || any(low > high)) {
        out.position = nowhere();
        return out;
    }
    let reach = vec2f(paint.edge_width * 0.5 + 1.0);
    out.place = select(low - reach, high + reach, vec2<bool>(far_end(corner), far_side(corner)));
    out.position = clip(out.place);
    out.box = vec4f(low, high);
    return out;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let low = corner.place - corner.box.xy;
    let high = corner.box.zw - corner.place;
    // How much of the pixel the box covers, along both ways.
    let inside = clamp(min(low, high) + 0.5, vec2f(0.0), min(vec2f(1.0), corner.box.zw
                 - corner.box.xy));
    let gap = max(max(-low, -high), vec2f(0.0));
    let depth = min(min(low.x, low.y), min(high.x, high.y));
    let d = select(length(gap), -depth, depth > 0.0);
    let shown = paint.edge_width > 0.0;
    let strength = clamp(paint.edge_width * 0.5 + 0.5 - abs(d), 0.0, min(1.0, paint.edge_width));
    let rim = paint.edge * select(0.0, strength, shown);
    return rim + paint.color * (inside.x * inside.y) * (1.0 - rim.a);
}
"""
)
"""Bars with their rims."""

AREAS = (
    _PAIRS
    + """
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) lid: vec4f,
    @location(2) @interpolate(flat) ground: vec4f,
}

fn height(line: vec4f, x: f32) -> f32 {
    let d = line.z - line.x;
    let t = clamp((x - line.x) / select(d, 1.0e-6, abs(d) < 1.0e-6), 0.0, 1.0);
    return mix(line.y, line.w, t);
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) k: u32) -> Corner {
    var out: Corner;
    let a = top(k);
    let b = top(k + 1u);
    let c = foot(k);
    let d = foot(k + 1u);
    if (a.z <= 0.0 || b.z <= 0.0) {
        out.position = nowhere();
        return out;
    }
    let right = far_end(corner);
    // Both lines may rise or fall within the piece: the quad holds all of it.
    let high = min(min(a.y, b.y), min(c.y, d.y)) - 1.0;
    let low = max(max(a.y, b.y), max(c.y, d.y)) + 1.0;
    let y = clamp(select(high, low, far_side(corner)), -10.0, paint.size.y + 10.0);
    out.place = vec2f(select(a.x, b.x, right), y);
    out.position = clip(out.place);
    out.lid = vec4f(a.xy, b.xy);
    out.ground = vec4f(c.xy, d.xy);
    return out;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let one = height(corner.lid, corner.place.x);
    let two = height(corner.ground, corner.place.x);
    let y = corner.place.y;
    let inside = min(y - min(one, two), max(one, two) - y) + 0.5;
    return paint.color * clamp(inside, 0.0, 1.0);
}
"""
)
"""Areas between a line and its partners, one quad per piece."""

RULE = (
    PAINT
    + FULL
    + """
@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    let along = select(place.y, place.x, paint.mirror != 0u);
    return paint.color * clamp(paint.half_width + 0.5 - abs(along - paint.radius), 0.0, 1.0);
}
"""
)
"""A line right across the picture, at the pixel in radius."""
