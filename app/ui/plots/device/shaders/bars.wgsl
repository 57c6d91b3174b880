// Bars with their rims.
//include pairs

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
