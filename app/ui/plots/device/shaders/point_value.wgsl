// What every point has: the start of the passes that colour and size points.
struct Tint { low: f32, scale: f32, colors: u32, offset: u32, first: u32, total: u32, u: vec2u }
@group(0) @binding(0) var<storage, read> tint: Tint;
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= tint.total) { return; }
    let value = f32(load_c(k + tint.first + tint.offset));
