// The sums of two by two cells.
struct Size { size: u32, unused_a: u32, unused_b: u32, unused_c: u32 }
@group(0) @binding(0) var<storage, read> view: Size;
@group(0) @binding(1) var<storage, read> fine: array<u32>;
@group(0) @binding(2) var<storage, read_write> coarse: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.size * view.size) { return; }
    let corner = 2u * (k / view.size) * (2u * view.size) + 2u * (k % view.size);
    let below = corner + 2u * view.size;
    coarse[k] = fine[corner] + fine[corner + 1u] + fine[below] + fine[below + 1u];
}
