// A point in the middle of every pixel that has any, with their mean colour and size.
//include piles

@group(0) @binding(1) var<storage, read> piles: array<Pile>;
@group(0) @binding(4) var<storage, read_write> spots: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    let width = u32(size.width);
    if (k >= width * u32(size.height)) { return; }
    let pile = piles[k];
    let count = f32(clamp(pile.count, 1u, 65536u));
    let mean = vec2f(f32(pile.size) / 64.0, floor(f32(pile.color) + 0.5 * count)) / count;
    let middle = vec2f(f32(k % width) + 0.5, f32(k / width) + 0.5);
    spots[k] = vec4f(middle, mean.x, floor(mean.y));
}
