// Where the points of every tile begin, once they lie in the order of tiles.
@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>;
@group(0) @binding(2) var<storage, read_write> cursors: array<u32>;
var<workgroup> sums: array<u32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let share = arrayLength(&counts) / 256u;
    var sum = 0u;
    for (var k = 0u; k < share; k++) { sum += counts[lane * share + k]; }
    sums[lane] = sum;
    workgroupBarrier();
    var at = 0u;
    for (var k = 0u; k < lane; k++) { at += sums[k]; }
    for (var k = 0u; k < share; k++) {
        starts[lane * share + k] = at;
        cursors[lane * share + k] = at;
        at += counts[lane * share + k];
    }
    if (lane == 255u) { starts[share * 256u] = at; }
}
