fn unit_f64(high: u32, low: u32) -> f64 {
    let m = (u64(high) << 20u) | u64(low >> 12u);
    return bitcast<f64>(m | 0x3ff0000000000000lu) - bitcast<f64>(0x3feffffffffffffflu | zero64);
}
fn uniform_pair_f64(key: u64, e: u64) -> vec2<f64> {
    let w = philox(key, e >> 1u);
    return vec2<f64>(unit_f64(w.x, w.y), unit_f64(w.z, w.w));
}
fn uniform_quad_f64(key: u64, e: u64) -> vec4<f64> {
    return vec4<f64>(uniform_pair_f64(key, e), uniform_pair_f64(key, e + 2lu));
}
