fn normal_quad_${t}(key: u64, e: u64) -> vec4<${t}> {
    let u = uniform_quad_${t}(key, e);
    return vec4<${t}>(${pair}(u.x, u.y), ${pair}(u.z, u.w));
}
