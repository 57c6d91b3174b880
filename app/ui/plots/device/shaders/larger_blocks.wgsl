// Larger blocks, of blocks.
//include view

@group(0) @binding(5) var<storage, read> blocks: array<vec2<${number}>>;
@group(0) @binding(6) var<storage, read_write> larger: array<vec2<${number}>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= view.columns) { return; }
    var ends = blocks[id.x * 128u];
    for (var k = 1u; k < 128u; k++) {
        let other = blocks[min(id.x * 128u + k, view.count - 1u)];
        ends = vec2<${number}>(min(ends.x, other.x), max(ends.y, other.y));
    }
    larger[id.x] = ends;
}
