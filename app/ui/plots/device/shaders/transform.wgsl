// The pixels of the points first … first+columns-1, one by one.
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    let i = k + view.first;
    if (k >= view.columns) { return; }
    if (i >= view.count) { points[k] = vec4f(0.0); return; }
    let p = vec2f(place_x(i), place_y(i));
    let there = is_finite(p.x) && is_finite(p.y);
    points[k] = select(vec4f(0.0), vec4f(p, 1.0, 0.0), there);
}
