// Polygons: fans of triangles from buffers, and the colour that covers them.
struct View {
    right: vec4f, down: vec4f, low: vec4f, span: vec4f, sides: vec4f, frame: vec4f,
    size: vec2f, stride: u32, logs: u32,
    offsets: vec4u,
}
@group(0) @binding(0) var<storage, read> view: View;
@group(0) @binding(4) var<storage, read> colors: array<vec4f>;
struct Place { @builtin(position) position: vec4f, @location(0) @interpolate(flat) face: u32 }
${arrays}
fn on_axis(value: f32, axis: u32) -> f32 {
    var v = value;
    if ((view.logs & (1u << axis)) != 0u) { v = log2(max(value, 1e-38)) * 0.30102999566; }
    return ((v - view.low[axis]) / view.span[axis] - 0.5) * view.sides[axis];
}

@vertex
fn fan(@builtin(vertex_index) index: u32, @builtin(instance_index) face: u32) -> Place {
    let step = index % 3u;
    let i = face * view.stride + select(index / 3u + step, 0u, step == 0u);
    let z = select(0.0, f32(load_z(i + view.offsets.z)), view.offsets.w == 1u);
    let p = vec3f(on_axis(f32(load_x(i + view.offsets.x)), 0u),
                  on_axis(f32(load_y(i + view.offsets.y)), 1u), on_axis(z, 2u));
    let pixel = vec2f(dot(p, view.right.xyz), dot(p, view.down.xyz)) * view.frame.zw
                + view.frame.xy;
    let flat_place = vec2f(pixel.x / view.size.x * 2.0 - 1.0, 1.0 - pixel.y / view.size.y * 2.0);
    return Place(vec4f(flat_place, 0.5, 1.0), face);
}

@fragment
fn nothing(place: Place) -> @location(0) vec4f { return vec4f(0.0); }

@vertex
fn cover(@builtin(vertex_index) index: u32, @builtin(instance_index) face: u32) -> Place {
    let corner = vec2f(select(-1.0, 3.0, index == 1u), select(-1.0, 3.0, index == 2u));
    return Place(vec4f(corner, 0.5, 1.0), face);
}

@fragment
fn paint(place: Place) -> @location(0) vec4f {
    return colors[place.face];
}
