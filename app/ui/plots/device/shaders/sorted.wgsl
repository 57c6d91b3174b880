// Sets a flag when x falls anywhere or has gaps.
@group(0) @binding(3) var<storage, read_write> falls: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.x + id.y * groups.x * 256u;
    if (i + 1u >= view.count) { return; }
    let a = load_x(i + view.x_offset);
    let b = load_x(i + 1u + view.x_offset);
    if (!(b >= a) || !is_finite(f32(a)) || !is_finite(f32(b))) { atomicStore(&falls[0], 1u); }
}
