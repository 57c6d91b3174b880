fn further(at: vec2<u32>, by: u32) -> vec2<u32> {
    let low = at.x + by;
    return vec2<u32>(low, at.y + select(0u, 1u, low < by));
}
