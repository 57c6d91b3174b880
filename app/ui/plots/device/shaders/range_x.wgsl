// Pixels of the abscissas start, start+unit, …, which are in no buffer.
fn place_x(i: u32) -> f32 {
    if (view.x_log != 0u) {
        let power = log2(view.range_start + view.range_unit * f32(i)) * 0.30102999566;
        return (power - view.x_high - view.x_low) * view.x_scale;
    }
    return view.range_pixel + f32(bitcast<i32>(i - view.range_base)) * view.range_step;
}
