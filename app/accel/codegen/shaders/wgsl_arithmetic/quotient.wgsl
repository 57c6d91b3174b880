// Shaders may divide singles with an error of 2.5 units, and give 0 for divisors above 2^126:
// large divisors are scaled, and the remainder tells what is missing.
fn div_f32(a: f32, b: f32) -> f32 {
    let large = abs(b) > 8.507059e37;
    let d = select(b, b * 0.25, large);
    let q = select(a / d, (a * 0.25) / d, large);
    let r = fma(-q, b, a);
    return select(q, q + r / d * select(1.0, 0.25, large), abs(r) < abs(a));
}
