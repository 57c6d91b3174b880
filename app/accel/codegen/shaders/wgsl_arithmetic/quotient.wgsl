// Shaders may divide singles with an error of 2.5 units, and give 0 for divisors above 2^126. From a
// correctly rounded reciprocal the last step is correctly rounded (Markstein 1990): of numbers
// between 2^-62 and 2^62, whose remainders are none that is flushed to zero, as they are. What
// depends on the divisor alone comes first: it is computed once for dividends beside each other.
fn div_f32(a: f32, b: f32) -> f32 {
    let v = bitcast<u32>(b);
    var y = 1.0 / b;
    y = fma(fma(-b, y, 1.0), y, y);
    y = fma(fma(-b, y, 1.0), y, y);
    let far = select((v & 0x7f800000u) - 0x20800000u, 0xffffffffu, (v & 0x7fffffu) == 0x7fffffu);
    if (max((bitcast<u32>(a) & 0x7f800000u) - 0x20800000u, far) >= 0x3e800000u) {
        return far_div_f32(a, b);
    }
    let r = fma(fma(-b, a * y, a), y, a * y);
    return fma(fma(-b, r, a), y, r);
}
// The significands are divided. Zeros, infinities, NaN and what is flushed to zero are divided as
// they are.
fn far_div_f32(a: f32, b: f32) -> f32 {
    let u = bitcast<u32>(a);
    let v = bitcast<u32>(b);
    let p = (u >> 23u) & 255u;
    let q = (v >> 23u) & 255u;
    if (p == 0u || q - 1u >= 254u) { return a / b; }
    let m = bitcast<f32>((u & 0x807fffffu) | 0x3f800000u);
    let d = bitcast<f32>((v & 0x807fffffu) | 0x3f800000u);
    if (p == 255u) { return a / d; }
    var y = 1.0 / d;
    y = fma(fma(-d, y, 1.0), y, y);
    y = fma(fma(-d, y, 1.0), y, y);
    if ((v & 0x7fffffu) == 0x7fffffu) {  // so near a midpoint that no step rounds it correctly
        y = bitcast<f32>((v & 0x80000000u) | 0x3f000001u);
    }
    var r = m * y;
    r = fma(fma(-d, r, m), y, r);
    r = fma(fma(-d, r, m), y, r);
    let power = i32(p) - i32(q);
    let half = power / 2;
    return r * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(power - half + 127) << 23u);
}
