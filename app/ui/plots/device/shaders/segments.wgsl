// A line as quads around its pieces, two per piece for steps; blended by maximum, so that joints do
// not show.
//include paint

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
