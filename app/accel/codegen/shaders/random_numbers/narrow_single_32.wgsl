fn ${kind}_f32(key: vec2<u32>, e: vec2<u32>) -> f32 {
    return ${kind}_quad_f32(key, e)[e.x & 3u];
}
