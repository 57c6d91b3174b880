fn advanced(at: vec2<u32>, times: u32, by: vec2<u32>) -> vec2<u32> {
    let moved = further(at, times * by.x);
    return vec2<u32>(moved.x, moved.y + high_u32(times, by.x) + times * by.y);
}
