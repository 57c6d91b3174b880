// A grid of heights in a buffer, seen from the side, with a depth buffer.
struct Surface {
    right: vec4f, down: vec4f, away: vec4f,
    low: vec4f, span: vec4f, sides: vec4f,
    frame: vec4f, face: vec4f, edge: vec4f,
    size: vec2f, value_low: f32, value_scale: f32,
    rows: u32, columns: u32, stride: u32, offset: u32,
    colors: u32, style: u32, matrices: u32, logs: u32,
    edge_width: f32, alpha: f32, levels: u32, value_offset: u32,
    material: vec4f, viewer: vec4f, lights: array<vec4f, 4>,
}
@group(0) @binding(0) var<storage, read> view: Surface;
@group(0) @binding(4) var<storage, read> palette: array<u32>;
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) value: f32,
    @location(1) @interpolate(flat) own: f32,
    @location(2) cell: vec2f,
    @location(3) spot: vec3f,
    @location(4) @interpolate(flat) ends: vec2f,
}
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
${arrays}
fn on_axis(value: f32, axis: u32) -> f32 {
    var v = value;
    if ((view.logs & (1u << axis)) != 0u) { v = log2(max(value, 1e-38)) * 0.30102999566; }
    return ((v - view.low[axis]) / view.span[axis] - 0.5) * view.sides[axis];
}

fn value_of(row: u32, column: u32) -> f32 {
    return f32(load_c(row + column * view.rows + view.value_offset));
}

fn inside(row: u32, column: u32) -> vec3f {
    let i = row + column * view.rows;
    let x = f32(load_x(select(column, i, (view.matrices & 1u) != 0u)));
    let y = f32(load_y(select(row, i, (view.matrices & 2u) != 0u)));
    return vec3f(on_axis(x, 0u), on_axis(y, 1u), on_axis(f32(load_z(i + view.offset)), 2u));
}

// Pixel, depth, and the height as it is in w.
fn spot(row: u32, column: u32) -> vec4f {
    let z = f32(load_z(row + column * view.rows + view.offset));
    let p = inside(row, column);
    let pixel = vec2f(dot(p, view.right.xyz), dot(p, view.down.xyz)) * view.frame.zw;
    return vec4f(pixel + view.frame.xy, dot(p, view.away.xyz), z);
}

// A cell is two triangles; it is left out when one of its corners is no number.
@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Corner {
    var out: Corner;
    let across = (view.columns - 2u) / view.stride + 1u;
    let first = vec2u(number / across, number % across) * view.stride;
    let last = min(first + vec2u(view.stride), vec2u(view.rows - 1u, view.columns - 1u));
    let a = spot(first.x, first.y);
    let whole = is_finite(a.w) && is_finite(spot(last.x, first.y).w)
                && is_finite(spot(first.x, last.y).w) && is_finite(spot(last.x, last.y).w);
    let far_row = index == 1u || index == 2u || index == 4u;
    let far_column = index == 2u || index == 4u || index == 5u;
    let p = spot(select(first.x, last.x, far_row), select(first.y, last.y, far_column));
    let flat_place = vec2f(p.x / view.size.x * 2.0 - 1.0, 1.0 - p.y / view.size.y * 2.0);
    out.position = select(vec4f(2.0, 2.0, 2.0, 1.0),
                          vec4f(flat_place, clamp(0.5 + 0.3 * p.z, 0.0, 1.0), 1.0), whole);
    out.value = value_of(select(first.x, last.x, far_row), select(first.y, last.y, far_column));
    out.own = value_of(first.x, first.y);
    out.spot = inside(select(first.x, last.x, far_row), select(first.y, last.y, far_column));
    out.ends = vec2f(select(1e6, 0.0, first.y == 0u),
                     select(1e6, 0.0, last.y == view.columns - 1u));
    out.cell = vec2f(select(0.0, 1.0, far_row), select(0.0, 1.0, far_column));
    return out;
}

// Levels follow the colours of the palette.
fn shade(given: f32) -> vec4f {
    var value = given;
    if ((view.style & 32u) != 0u) {
        value = view.value_low;
        for (var l = 0u; l < view.levels; l++) {
            let level = bitcast<f32>(palette[view.colors + l]);
            if (level <= given) { value = level; }
        }
    }
    let place = clamp(floor((value - view.value_low) * view.value_scale), 0.0,
                      f32(view.colors - 1u));
    return unpack4x8unorm(palette[u32(place)]);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let value = select(corner.own, corner.value, (view.style & 2u) != 0u);
    let colored = shade(value);
    // Lights: how many is in viewer.w; material is ambient, diffuse, specular, exponent.
    let way = cross(dpdx(corner.spot), dpdy(corner.spot));
    let blank = (view.style & 1u) != 0u && !is_finite(value);
    var face = select(view.face, colored, (view.style & 1u) != 0u) * view.alpha;
    if (view.viewer.w > 0.0) {
        let normal = way / max(length(way), 1e-20);
        var bright = view.material.x;
        var shine = 0.0;
        for (var k = 0u; k < u32(view.viewer.w); k++) {
            let along = dot(normal, view.lights[k].xyz);
            bright += view.material.y * abs(along);
            let mirrored = 2.0 * along * normal - view.lights[k].xyz;
            shine += pow(clamp(dot(mirrored, view.viewer.xyz), 0.0, 1.0), view.material.w);
        }
        let white = vec3f(0.5 * clamp(shine * view.material.z, 0.0, 1.0) * face.a);
        face = vec4f(min(face.rgb * clamp(bright, 0.0, 1.0) + white, vec3f(face.a)), face.a);
    }
    // Distance from the cell's rim in pixels.
    let width = max(fwidth(corner.cell), vec2f(1e-6));
    let far = vec2f(1.0) - corner.cell;
    let ends = vec2f(corner.cell.y, far.y) + corner.ends;
    let near = select(min(corner.cell, far), vec2f(far.x, min(ends.x, ends.y)),
                      (view.style & 64u) != 0u) / width;
    let rim = clamp(view.edge_width * 0.5 + 0.5 - min(near.x, near.y), 0.0, 1.0);
    let line = select(view.edge, colored * view.edge.a, (view.style & 8u) != 0u);
    let strength = select(0.0, rim, (view.style & 4u) != 0u);
    if (blank) { discard; }
    return line * strength + face * (1.0 - strength * line.a);
}
