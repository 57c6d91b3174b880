// What every pass that paints is told. Pixels, x to the right, y down.
struct Paint {
    color: vec4f, edge: vec4f, dashes: vec4f,
    size: vec2f, half_width: f32, dash_period: f32,
    shape: u32, radius: f32, edge_width: f32, mirror: u32,
}
@group(0) @binding(0) var<uniform> paint: Paint;
fn clip(p: vec2f) -> vec4f {
    return vec4f(p.x / paint.size.x * 2.0 - 1.0, 1.0 - p.y / paint.size.y * 2.0, 0.0, 1.0);
}
