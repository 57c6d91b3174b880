// Counts points per pixel.
@group(0) @binding(4) var<storage, read_write> hits: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= view.count) { return; }
    let p = vec2f(place_x(k), place_y(k));
    if (!is_finite(p.x) || !is_finite(p.y)) { return; }
    if (p.x < 0.0 || p.y < 0.0 || p.x >= view.width || p.y >= view.height) { return; }
    atomicAdd(&hits[u32(p.y) * u32(view.width) + u32(p.x)], 1u);
}
