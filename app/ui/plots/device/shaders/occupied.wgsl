// Which blocks of pixels have points.
struct Size { width: u32, height: u32, across: u32, down: u32 }
@group(0) @binding(0) var<storage, read> view: Size;
@group(0) @binding(1) var<storage, read> hits: array<u32>;
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.across * view.down) { return; }
    let corner = vec2u(k % view.across, k / view.across) * 8u;
    let end = min(corner + 8u, vec2u(view.width, view.height));
    var any = 0u;
    for (var j = corner.y; j < end.y; j++) {
        for (var i = corner.x; i < end.x; i++) { any |= hits[j * view.width + i]; }
    }
    blocks[k] = any;
}
