// Pieces of contours as quads, in the colours of their levels.
//include paint

@group(0) @binding(1) var<storage, read> pieces: array<vec4f>;
@group(0) @binding(2) var<storage, read> palette: array<u32>;
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) ends: vec4f,
    @location(2) @interpolate(flat) tint: vec4f,
}

// Lowest value, colours per unit and the last colour are in dashes.
@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) k: u32) -> Corner {
    var out: Corner;
    if (2u * k + 1u >= arrayLength(&pieces)) {
        out.position = vec4f(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    let ends = pieces[2u * k];
    let reach = paint.half_width + 1.0;
    let way = ends.zw - ends.xy;
    let length = length(way);
    let along = select(vec2f(1.0, 0.0), way / max(length, 1.0e-9), length > 1.0e-9);
    let far = index == 1u || index == 2u || index == 4u;
    let side = select(-1.0, 1.0, index == 2u || index == 4u || index == 5u);
    let centre = select(ends.xy - along * reach, ends.zw + along * reach, far);
    out.place = centre + vec2f(-along.y, along.x) * side * reach;
    out.position = clip(out.place);
    out.ends = ends;
    let row = clamp(floor((pieces[2u * k + 1u].x - paint.dashes.x) * paint.dashes.y), 0.0,
                    paint.dashes.z);
    out.tint = select(paint.color, unpack4x8unorm(palette[u32(row)]), paint.shape != 0u);
    return out;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let a = corner.ends.xy;
    let d = corner.ends.zw - a;
    let p = corner.place - a;
    let t = clamp(dot(p, d) / max(dot(d, d), 1.0e-12), 0.0, 1.0);
    let gap = distance(p, d * t);
    return corner.tint * clamp(paint.half_width + 0.5 - gap, 0.0, min(1.0, 2.0 * paint.half_width));
}
