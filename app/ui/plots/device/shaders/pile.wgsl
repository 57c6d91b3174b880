// Sums up colours and sizes of the points of every pixel; of very many only the first 65536.
//include piles

@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> piles: array<Pile>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= size.total) { return; }
    let p = points[k];
    if (p.z <= 0.0 || p.x < 0.0 || p.y < 0.0 || p.x >= size.width || p.y >= size.height) {
        return;
    }
    let pixel = u32(p.y) * u32(size.width) + u32(p.x);
    if (atomicAdd(&piles[pixel].count, 1u) >= 65536u) { return; }
    atomicAdd(&piles[pixel].color, u32(clamp(p.w, 0.0, 65535.0)));
    atomicAdd(&piles[pixel].size, u32(clamp(p.z * 64.0 + 0.5, 1.0, 65535.0)));
}
