"""WGSL of the passes that paint: lines, markers, densities, images. Pixels, y down."""

from __future__ import annotations

from app.ui.plots.device.shaders import array_source

PAINT = """
struct Paint {
    color: vec4f, edge: vec4f, dashes: vec4f,
    size: vec2f, half_width: f32, dash_period: f32,
    shape: u32, radius: f32, edge_width: f32, mirror: u32,
}
@group(0) @binding(0) var<uniform> paint: Paint;
fn clip(p: vec2f) -> vec4f {
    return vec4f(p.x / paint.size.x * 2.0 - 1.0, 1.0 - p.y / paint.size.y * 2.0, 0.0, 1.0);
}
"""

SEGMENTS = (
    PAINT
    + """
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) ends: vec4f,
    @location(2) @interpolate(flat) arc: f32,
}

// The part of a segment that can be seen, so that far-away ends keep their precision.
fn cut(a: vec2f, b: vec2f, margin: f32) -> vec2f {
    let d = b - a;
    var t = vec2f(0.0, 1.0);
    let low = vec2f(-margin);
    let high = paint.size + vec2f(margin);
    for (var k = 0; k < 2; k++) {
        if (abs(d[k]) > 1.0e-12) {
            let u = (low[k] - a[k]) / d[k];
            let v = (high[k] - a[k]) / d[k];
            t = vec2f(max(t.x, min(u, v)), min(t.y, max(u, v)));
        } else if (a[k] < low[k] || a[k] > high[k]) {
            t = vec2f(1.0, 0.0);
        }
    }
    return t;
}

// Points reduced for an axis that runs backwards were computed as if it ran forwards.
fn placed(p: vec4f) -> vec4f {
    return vec4f(select(p.x, paint.size.x - p.x, paint.mirror != 0u), p.yzw);
}

// Whether a piece lies under the upright strokes of columns full of points: ways to and from a
// stroke do, and so do ways between columns whose strokes overlap. Painting them would cost more
// than all the rest.
fn covered(k: u32) -> bool {
    let a = points[k];
    let b = points[k + 1u];
    if (a.z < 2.0 || b.z < 2.0 || abs(a.y - b.y) < 3.0 || paint.dash_period > 0.0) { return false; }
    if (k % 4u == 1u || paint.shape != 0u) { return false; }
    if (k % 4u != 3u) { return true; }
    return max(points[k - 1u].y, points[k + 3u].y) <= min(points[k - 2u].y, points[k + 2u].y);
}

@vertex
fn vertex(@builtin(vertex_index) place: u32, @builtin(instance_index) k: u32) -> Corner {
    var out: Corner;
    let index = place % 6u;
    if (covered(k)) {
        out.position = vec4f(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    var a = placed(points[k]);
    var b = placed(points[k + 1u]);
    if (paint.shape != 0u) {
        // A step: along first, then up or down.
        let bend = vec4f(b.x, a.y, min(a.z, b.z), a.w + abs(b.x - a.x));
        if (place < 6u) { b = bend; } else { a = bend; }
    }
    let t = cut(a.xy, b.xy, 64.0);
    if (a.z <= 0.0 || b.z <= 0.0 || t.x > t.y) {
        out.position = vec4f(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    let start = mix(a.xy, b.xy, t.x);
    let stop = mix(a.xy, b.xy, t.y);
    let reach = paint.half_width + 1.0;
    let length = distance(start, stop);
    if (paint.dash_period > 0.0 && length < 1.0e-4) {
        out.position = vec4f(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    let along = select(vec2f(1.0, 0.0), (stop - start) / max(length, 1.0e-9), length > 1.0e-9);
    let across = vec2f(-along.y, along.x);
    let far = index == 1u || index == 2u || index == 4u;
    let side = select(-1.0, 1.0, index == 2u || index == 4u || index == 5u);
    let centre = select(start - along * reach, stop + along * reach, far);
    let spot = centre + across * side * reach;
    out.position = clip(spot);
    out.place = spot;
    out.ends = vec4f(start, stop);
    out.arc = a.w + t.x * (b.w - a.w);
    return out;
}

fn dash(arc: f32) -> f32 {
    if (paint.dash_period <= 0.0) { return 1.0; }
    let m = arc - floor(arc / paint.dash_period) * paint.dash_period;
    let d = paint.dashes;
    let second = d.x + d.y;
    let one = min(m, d.x - m);
    let wrapped = min(m - paint.dash_period, d.x - (m - paint.dash_period));
    let two = min(m - second, second + d.z - m);
    return clamp(max(max(one, wrapped), select(-1.0, two, d.z > 0.0)) + 0.5, 0.0, 1.0);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let a = corner.ends.xy;
    let d = corner.ends.zw - a;
    let p = corner.place - a;
    let length = max(dot(d, d), 1.0e-12);
    let t = dot(p, d) / length;
    let gap = distance(p, d * clamp(t, 0.0, 1.0));
    let coverage = clamp(paint.half_width + 0.5 - gap, 0.0, min(1.0, 2.0 * paint.half_width));
    return paint.color * (coverage * dash(corner.arc + t * sqrt(length)));
}
"""
)
"""A line as quads around its pieces, two per piece for steps; blended by maximum, so that joints
do not show."""

MARKERS = (
    PAINT
    + """
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(2) var<storage, read> palette: array<u32>;
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) tint: vec4f,
    @location(2) @interpolate(flat) radius: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) k: u32) -> Corner {
    var out: Corner;
    let p = points[k];
    // Markers of many sizes have theirs in z.
    out.radius = paint.radius * select(1.0, p.z, (paint.mirror & 4u) != 0u);
    let reach = out.radius + paint.edge_width + 1.0;
    let x = select(-1.0, 1.0, index == 1u || index == 2u || index == 4u);
    let y = select(-1.0, 1.0, index == 2u || index == 4u || index == 5u);
    out.place = vec2f(x, y) * reach;
    out.tint = unpack4x8unorm(palette[u32(max(p.w, 0.0))]);
    // The middle of a marker has to be inside the margin, which is in half_width.
    let low = vec2f(paint.half_width - 0.5);
    let inside = all(p.xy >= low) && all(p.xy <= paint.size - low);
    let shown = p.z > 0.0 && (paint.half_width == 0.0 || inside);
    out.position = select(vec4f(2.0, 2.0, 2.0, 1.0), clip(p.xy + out.place), shown);
    return out;
}

fn bar(p: vec2f, half: vec2f) -> f32 {
    let q = abs(p) - half;
    return length(max(q, vec2f(0.0))) + min(max(q.x, q.y), 0.0);
}

// Points with n spikes: a regular star.
fn star(p: vec2f, n: f32, radius: f32, inner: f32) -> f32 {
    let step = 3.14159265 / n;
    let angle = atan2(p.x, -p.y) + step;
    let folded = abs(angle - floor(angle / (2.0 * step)) * 2.0 * step - step);
    let q = length(p) * vec2f(cos(folded), sin(folded));
    let a = vec2f(radius, 0.0);
    let b = vec2f(cos(step), sin(step)) * radius * inner;
    let e = b - a;
    let side = normalize(vec2f(e.y, -e.x));
    let outward = side * select(-1.0, 1.0, dot(a, side) > 0.0);
    return dot(q - a, outward);
}

fn shape(p: vec2f, r: f32) -> f32 {
    let thin = paint.edge_width * 0.5;
    let turned = vec2f(p.x + p.y, p.y - p.x) * 0.70710678;
    switch (paint.shape) {
        case 1u: { return min(bar(p, vec2f(r, thin)), bar(p, vec2f(thin, r))); }
        case 2u: { return min(bar(turned, vec2f(r, thin)), bar(turned, vec2f(thin, r))); }
        case 3u: {
            return min(min(bar(p, vec2f(r, thin)), bar(p, vec2f(thin, r))),
                       min(bar(turned, vec2f(r, thin)), bar(turned, vec2f(thin, r))));
        }
        case 4u: { return bar(p, vec2f(r * 0.9)); }
        case 5u: { return (abs(p.x) * 1.25 + abs(p.y) - r) * 0.62; }
        case 6u: { return max(abs(p.x) * 0.866 + p.y * -0.5, p.y) - r * 0.5; }
        case 7u: { return max(abs(p.x) * 0.866 + p.y * 0.5, -p.y) - r * 0.5; }
        case 8u: { return max(abs(p.y) * 0.866 + p.x * 0.5, -p.x) - r * 0.5; }
        case 9u: { return max(abs(p.y) * 0.866 - p.x * 0.5, p.x) - r * 0.5; }
        case 10u: { return bar(p, vec2f(r, thin)); }
        case 11u: { return bar(p, vec2f(thin, r)); }
        case 12u: { return star(p, 5.0, r, 0.4); }
        case 13u: { return star(p, 6.0, r, 0.58); }
        default: { return length(p) - r; }
    }
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let d = shape(corner.place, corner.radius);
    let stroked = paint.shape == 1u || paint.shape == 2u || paint.shape == 3u
                  || paint.shape == 10u || paint.shape == 11u;
    // Faces and rims may take the colour of the point's value.
    let color = select(paint.color, corner.tint * paint.color.a, (paint.mirror & 1u) != 0u);
    let edge = select(paint.edge, corner.tint * paint.edge.a, (paint.mirror & 2u) != 0u);
    if (stroked) { return edge * clamp(0.5 - d, 0.0, 1.0); }
    let fill = color * clamp(0.5 - d, 0.0, 1.0);
    let rim = edge * clamp(paint.edge_width * 0.5 + 0.5 - abs(d), 0.0, 1.0);
    return rim + fill * (1.0 - rim.a);
}
"""
)
"""Markers as quads, shaped by their distance functions."""

SPLAT = """
@group(0) @binding(4) var<storage, read_write> hits: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= view.count) { return; }
    let p = vec2f(place_x(k), place_y(k));
    if (!is_finite(p.x) || !is_finite(p.y)) { return; }
    if (p.x < 0.0 || p.y < 0.0 || p.x >= view.width || p.y >= view.height) { return; }
    atomicAdd(&hits[u32(p.y) * u32(view.width) + u32(p.x)], 1u);
}
"""
"""Counts points per pixel."""

FULL = """
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let x = f32(index & 1u) * 4.0 - 1.0;
    let y = f32(index >> 1u) * 4.0 - 1.0;
    return vec4f(x, y, 0.0, 1.0);
}
"""
"""One triangle over the whole picture."""

COMPOSITE = (
    FULL
    + """
@group(0) @binding(0) var layer: texture_2d<f32>;
@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    return textureLoad(layer, vec2i(place.xy), 0);
}
"""
)
"""Puts one finished layer over the others."""

IMAGE = """
struct Image {
    column_scale: f32, column_shift: f32, row_scale: f32, row_shift: f32,
    columns: u32, rows: u32, offset: u32, colors: u32,
    low_high: f32, low_low: f32, scale: f32, channels: u32,
    unit: f32, direct: u32, log: u32, alpha: f32,
    alpha_scale: f32, alpha_shift: f32, alpha_offset: u32, unused: u32,
}
@group(0) @binding(0) var<storage, read> image: Image;
@group(0) @binding(2) var<storage, read> palette: array<u32>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
fn is_nan(v: f32) -> bool { return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u; }
"""


_OPACITY = """
fn opacity(i: u32) -> f32 {
    let own = f32(load_alphas(i + image.alpha_offset)) * image.alpha_scale + image.alpha_shift;
    return image.alpha * clamp(own, 0.0, 1.0);
}
"""


def image_source(layout: str, alphas: str = "") -> str:
    """The shader of an image whose values (and opacities) have these layouts."""
    own = (
        array_source("alphas", 3, alphas) + _OPACITY
        if alphas
        else ("fn opacity(i: u32) -> f32 { return image.alpha; }\n")
    )
    v = "f64" if layout == "f64" else "f32"
    return (
        IMAGE
        + array_source("values", 1, layout)
        + own
        + FULL
        + f"""
fn shade(value: {v}) -> vec4f {{
    let plain = f32(value);
    if (is_nan(plain)) {{ return vec4f(0.0); }}
    let last = f32(image.colors - 1u);
    var place = f32((value - {v}(image.low_high) - {v}(image.low_low)) * {v}(image.scale));
    if (image.direct != 0u) {{ place = plain - 1.0 + f32(image.direct - 1u); }}
    if (image.log != 0u) {{
        place = (log2(max(plain, 1e-38)) - image.low_high) * image.scale;
    }}
    return unpack4x8unorm(palette[u32(clamp(floor(place), 0.0, last))]);
}}

@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {{
    let column = floor(place.x * image.column_scale + image.column_shift);
    let row = floor(place.y * image.row_scale + image.row_shift);
    if (column < 0.0 || row < 0.0 || column >= f32(image.columns) || row >= f32(image.rows)) {{
        return vec4f(0.0);
    }}
    let here = u32(column) * image.rows + u32(row);
    let i = image.offset + here;
    if (image.channels == 3u) {{
        let page = image.rows * image.columns;
        let rgb = vec3f(f32(load_values(i)), f32(load_values(i + page)),
                        f32(load_values(i + 2u * page)));
        return vec4f(clamp(rgb * image.unit, vec3f(0.0), vec3f(1.0)), 1.0) * opacity(here);
    }}
    return shade(load_values(i)) * opacity(here);
}}
"""
    )
