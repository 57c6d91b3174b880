// Box and Muller with the shader language's own functions (fast maths).
fn normal_quad_f32(key: u64, e: u64) -> vec4<f32> {
    let u = uniform_quad_f32(key, e);
    let r = sqrt(-2.0 * log(u.xz));
    let a = 6.2831853 * u.yw;
    return vec4<f32>(r.x * cos(a.x), r.x * sin(a.x), r.y * cos(a.y), r.y * sin(a.y));
}
