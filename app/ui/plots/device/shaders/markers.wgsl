// Markers as quads, shaped by their distance functions.
//include paint

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
