// Index of the first point of every pixel column; x rises.
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x > view.columns) { return; }
    let edge = f32(id.x);
    let last = id.x == view.columns;
    var low = 0u;
    var high = view.count;
    while (low < high) {
        let middle = low + (high - low) / 2u;
        let x = place_x(middle);
        if (x < edge || (last && x <= edge)) { low = middle + 1u; } else { high = middle; }
    }
    starts[id.x] = low;
}
