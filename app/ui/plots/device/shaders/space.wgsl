// The pixels of points in space.
struct Space {
    right: vec4f, down: vec4f, low: vec4f, span: vec4f, sides: vec4f, frame: vec4f,
    starts: vec4f, steps: vec4f,
    x_offset: u32, y_offset: u32, z_offset: u32, first: u32,
    total: u32, logs: u32, unused: vec2u,
}
@group(0) @binding(0) var<storage, read> view: Space;
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
fn on_axis(value: f32, axis: u32) -> f32 {
    var v = value;
    if ((view.logs & (1u << axis)) != 0u) {
        v = select(bitcast<f32>(0x7fc00000u | view.total * 0u), log2(value) * 0.30102999566,
                   value > 0.0);
    }
    return ((v - view.low[axis]) / view.span[axis] - 0.5) * view.sides[axis];
}
${arrays}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= view.total) { return; }
    let i = k + view.first;
    let p = vec3f(on_axis(at_x(i), 0u), on_axis(at_y(i), 1u), on_axis(at_z(i), 2u));
    let place = vec2f(dot(p, view.right.xyz), dot(p, view.down.xyz)) * view.frame.zw
                + view.frame.xy;
    let there = is_finite(place.x) && is_finite(place.y);
    points[k] = select(vec4f(0.0), vec4f(place, 1.0, 0.0), there);
}
