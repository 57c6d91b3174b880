var<workgroup> first_keys: array<vec2<u32>, ${size}>;
var<workgroup> first_places: array<u32, ${size}>;
fn key_at(i: u32) -> vec2<u32> {
${key}
    return vec2<u32>(${high}, low);
}
fn before(a: vec2<u32>, i: u32, b: vec2<u32>, j: u32) -> bool {
    if (a.x != b.x) { return a.x < b.x; }
    if (a.y != b.y) { return a.y < b.y; }
    return i < j;
}

