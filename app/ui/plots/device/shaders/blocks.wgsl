// The lowest and the highest of every block of ordinates.
@group(0) @binding(5) var<storage, read_write> blocks: array<vec2<${number}>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let block = id.x + id.y * groups.x * 64u;
    if (block >= view.columns) { return; }
    var ends = vec2<${number}>(${number}(3.0e38), ${number}(-3.0e38));
    let last = view.count - 1u;
    for (var k = 0u; k < 128u; k += 4u) {
        for (var l = 0u; l < 4u; l++) {
            let v = load_y(min(block * 128u + k + l, last) + view.y_offset);
            let there = usable_y(v);
            ends = vec2<${number}>(min(ends.x, select(ends.x, v, there)),
                               max(ends.y, select(ends.y, v, there)));
        }
    }
    blocks[block] = ends;
}
