// Counts the points of some tiles per pixel.
struct Tiles { left: u32, top: u32, across: u32, size: u32 }
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> tiles: Tiles;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32,
        @builtin(num_workgroups) groups: vec3u) {
    let number = group.x + group.y * groups.x;
    let tile = vec2u(tiles.left + number % tiles.across, tiles.top + number / tiles.across);
    if (tile.y >= tiles.size) { return; }
    let place = tile.y * tiles.size + tile.x;
    for (var n = starts[place] + lane; n < starts[place + 1u]; n += 256u) {
        let k = order[n];
        let p = vec2f(place_x(k), place_y(k));
        if (p.x < 0.0 || p.y < 0.0 || p.x >= view.width || p.y >= view.height) { continue; }
        atomicAdd(&hits[u32(p.y) * u32(view.width) + u32(p.x)], 1u);
    }
}
