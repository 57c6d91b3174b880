// Marching squares over a grid of heights in a buffer; pieces of contours are appended.
struct Grid {
    right: vec4f, down: vec4f, low: vec4f, span: vec4f, sides: vec4f, frame: vec4f,
    rows: u32, columns: u32, stride: u32, offset: u32,
    matrices: u32, logs: u32, levels: u32, capacity: u32,
    ground: f32, unused: f32, lifted: u32, rest: u32,
}
@group(0) @binding(0) var<storage, read> view: Grid;
@group(0) @binding(4) var<storage, read_write> pieces: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> drawn: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read> levels: array<f32>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
${arrays}
fn on_axis(value: f32, axis: u32) -> f32 {
    var v = value;
    if ((view.logs & (1u << axis)) != 0u) { v = log2(max(value, 1e-38)) * 0.30102999566; }
    return ((v - view.low[axis]) / view.span[axis] - 0.5) * view.sides[axis];
}
fn place(row: u32, column: u32) -> vec2f {
    let i = row + column * view.rows;
    return vec2f(f32(load_x(select(column, i, (view.matrices & 1u) != 0u))),
                 f32(load_y(select(row, i, (view.matrices & 2u) != 0u))));
}
fn height(row: u32, column: u32, level: f32) -> f32 {
    return f32(load_z(row + column * view.rows + view.offset) - ${number}(level));
}
fn pixel(p: vec2f, level: f32) -> vec2f {
    let z = select(view.ground, level, view.lifted != 0u);
    let q = vec3f(on_axis(p.x, 0u), on_axis(p.y, 1u), on_axis(z, 2u));
    return vec2f(dot(q, view.right.xyz), dot(q, view.down.xyz)) * view.frame.zw + view.frame.xy;
}
// Which edges a line joins, for every pattern of corners above the level; 4 for none.
fn joins(pattern: u32) -> vec4u {
    switch (pattern) {
        case 1u, 14u: { return vec4u(3u, 0u, 4u, 4u); }
        case 2u, 13u: { return vec4u(0u, 1u, 4u, 4u); }
        case 3u, 12u: { return vec4u(3u, 1u, 4u, 4u); }
        case 4u, 11u: { return vec4u(1u, 2u, 4u, 4u); }
        case 5u: { return vec4u(3u, 2u, 1u, 0u); }
        case 6u, 9u: { return vec4u(0u, 2u, 4u, 4u); }
        case 7u, 8u: { return vec4u(3u, 2u, 4u, 4u); }
        case 10u: { return vec4u(2u, 1u, 0u, 3u); }
        default: { return vec4u(4u); }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let number = id.x + id.y * groups.x * 64u;
    let across = (view.columns - 2u) / view.stride + 1u;
    let down = (view.rows - 2u) / view.stride + 1u;
    if (number >= across * down) { return; }
    let a = vec2u(number / across, number % across) * view.stride;
    let b = min(a + vec2u(view.stride), vec2u(view.rows - 1u, view.columns - 1u));
    var corners = array<vec2f, 4>(place(a.x, a.y), place(a.x, b.y), place(b.x, b.y),
                                  place(b.x, a.y));
    for (var l = 0u; l < view.levels; l++) {
        let level = levels[l];
        var heights = array<f32, 4>(height(a.x, a.y, level), height(a.x, b.y, level),
                                    height(b.x, b.y, level), height(b.x, a.y, level));
        var pattern = 0u;
        var whole = true;
        for (var c = 0u; c < 4u; c++) {
            whole = whole && is_finite(heights[c]);
            pattern += select(0u, 1u << c, heights[c] > 0.0);
        }
        if (!whole || pattern == 0u || pattern == 15u) { continue; }
        let ends = joins(pattern);
        for (var k = 0u; k < 4u; k += 2u) {
            if (ends[k] == 4u) { continue; }
            var spots = array<vec2f, 2>();
            for (var e = 0u; e < 2u; e++) {
                let from_ = ends[k + e];
                let to = (from_ + 1u) % 4u;
                let drop = heights[from_] - heights[to];
                let part = heights[from_] / select(drop, 1.0, drop == 0.0);
                spots[e] = pixel(mix(corners[from_], corners[to], part), level);
            }
            let slot = atomicAdd(&drawn[1], 1u);
            if (slot < view.capacity) {
                pieces[2u * slot] = vec4f(spots[0], spots[1]);
                pieces[2u * slot + 1u] = vec4f(level, 0.0, 0.0, 0.0);
            }
        }
    }
}
