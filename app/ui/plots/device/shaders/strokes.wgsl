// Stems, error bars and arrows.
//include pairs

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
