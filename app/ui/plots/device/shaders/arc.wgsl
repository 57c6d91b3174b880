// The length of the line (of steps, where `first` is not 0) up to every point, in w: what dashes
// are measured by.
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
var<workgroup> sums: array<f32, 256>;

fn piece(k: u32) -> f32 {
    if (k == 0u) { return 0.0; }
    let a = points[k - 1u];
    let b = points[k];
    let way = abs(b.xy - a.xy);
    let length = select(length(way), way.x + way.y, view.first != 0u);
    return select(0.0, length, a.z > 0.0 && b.z > 0.0);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let total = view.columns;
    let each = (total + 255u) / 256u;
    let begin = min(lane * each, total);
    let end = min(begin + each, total);
    var sum = 0.0;
    for (var k = begin; k < end; k++) { sum += piece(k); }
    sums[lane] = sum;
    workgroupBarrier();
    if (lane == 0u) {
        var before = 0.0;
        for (var k = 0u; k < 256u; k++) {
            let own = sums[k];
            sums[k] = before;
            before += own;
        }
    }
    workgroupBarrier();
    var place = sums[lane];
    for (var k = begin; k < end; k++) {
        place += piece(k);
        points[k].w = place;
    }
}
