// The nearest pixel with points in the same row: how far it is, and how many it has.
struct Size { width: u32, height: u32, reach: u32, unused: u32 }
@group(0) @binding(0) var<storage, read> view: Size;
@group(0) @binding(1) var<storage, read> hits: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
@group(0) @binding(3) var<storage, read_write> nearest: array<u32>;
//include is_far

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.width * view.height) { return; }
    let x = k % view.width;
    let y = k / view.width;
    var n = hits[k];
    var way = 0u;
    let low = x - min(x, view.reach);
    let high = min(x + view.reach, view.width - 1u);
    if (n == 0u && !is_far(vec2u(low, y), vec2u(high, y), (view.width + 7u) / 8u)) {
        for (way = 1u; way <= view.reach && n == 0u; way++) {
            if (x >= way) { n = hits[k - way]; }
            if (x + way < view.width) { n = max(n, hits[k + way]); }
        }
        way -= 1u;
    }
    nearest[k] = select(0u, (way << 24u) | min(n, 0xffffffu), n > 0u);
}
