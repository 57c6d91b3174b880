// The opacity of every element, from its own buffer.
fn opacity(i: u32) -> f32 {
    let own = f32(load_alphas(i + image.alpha_offset)) * image.alpha_scale + image.alpha_shift;
    return image.alpha * clamp(own, 0.0, 1.0);
}
