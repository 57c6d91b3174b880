// How many points a pixel has: cells count by their share; no single point gets lost.
struct Window {
    start: vec2f, step: vec2f, width: u32, height: u32, size: u32, unused: u32,
}
@group(0) @binding(0) var<storage, read> view: Window;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read_write> hits: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 64u;
    if (k >= view.width * view.height) { return; }
    let pixel = vec2f(f32(k % view.width), f32(k / view.width));
    let a = view.start + pixel * view.step;
    let b = a + view.step;
    let low = clamp(min(a, b), vec2f(0.0), vec2f(f32(view.size)));
    let high = clamp(max(a, b), vec2f(0.0), vec2f(f32(view.size)));
    var sum = 0.0;
    var own = 0u;
    for (var j = u32(low.y); f32(j) < high.y; j++) {
        let down = min(f32(j + 1u), high.y) - max(f32(j), low.y);
        for (var i = u32(low.x); f32(i) < high.x; i++) {
            let n = cells[j * view.size + i];
            if (n == 0u) { continue; }
            sum += f32(n) * down * (min(f32(i + 1u), high.x) - max(f32(i), low.x));
            let centre = vec2f(f32(i), f32(j)) + 0.5;
            own |= select(0u, 1u, all(centre >= low) && all(centre < high));
        }
    }
    hits[k] = max(u32(round(sum)), own);
}
