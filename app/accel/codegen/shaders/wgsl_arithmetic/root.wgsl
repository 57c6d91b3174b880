fn sqrt_f32(a: f32) -> f32 {
    let y = sqrt(a);
    let r = fma(-y, y, a);
    return select(y, y + r / (y + y), abs(r) < a);
}
