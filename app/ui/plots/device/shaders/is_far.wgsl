// Whether no pixel with points is near.
fn is_far(low: vec2u, high: vec2u, across: u32) -> bool {
    var any = 0u;
    for (var j = low.y / 8u; j <= high.y / 8u; j++) {
        for (var i = low.x / 8u; i <= high.x / 8u; i++) { any |= blocks[j * across + i]; }
    }
    return any == 0u;
}
