// Counts points that already are in pixels.
struct Size { width: f32, height: f32, total: u32, unused: u32 }
@group(0) @binding(0) var<storage, read> size: Size;
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> hits: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= size.total) { return; }
    let p = points[k];
    if (p.z <= 0.0 || p.x < 0.0 || p.y < 0.0 || p.x >= size.width || p.y >= size.height) {
        return;
    }
    atomicAdd(&hits[u32(p.y) * u32(size.width) + u32(p.x)], 1u);
}
