var<workgroup> ranks: array<vec2<u32>, ${size}>;
var<workgroup> places: array<u32, ${size}>;
fn rank_of(i: u32) -> vec2<u32> {
${key}
    return vec2<u32>(${high}, ${low});
}
fn exceeds(a: vec2<u32>, i: u32, b: vec2<u32>, j: u32) -> bool {
    if (j == 0xffffffffu) { return i != j; }
    if (i == 0xffffffffu) { return false; }
    if (a.x != b.x) { return a.x > b.x; }
    if (a.y != b.y) { return a.y > b.y; }
    return i < j;
}

