// Parameters of the compute passes; `renderer.view_bytes` packs them.
struct View {
    x_high: f32, x_low: f32, x_scale: f32, x_log: u32,
    y_high: f32, y_low: f32, y_scale: f32, y_log: u32,
    x_offset: u32, y_offset: u32, count: u32, columns: u32,
    range_pixel: f32, range_step: f32, range_base: u32, first: u32,
    range_start: f32, range_unit: f32, width: f32, height: f32,
}
@group(0) @binding(0) var<storage, read> view: View;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
