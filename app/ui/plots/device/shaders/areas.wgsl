// Areas between a line and its partners, one quad per piece.
//include pairs

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
