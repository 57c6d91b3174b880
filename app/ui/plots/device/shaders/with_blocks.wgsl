// `blocks_of` takes in whole blocks of points and says where what it left out ends.
@group(0) @binding(5) var<storage, read> blocks: array<vec2<${number}>>;
@group(0) @binding(6) var<storage, read> larger: array<vec2<${number}>>;
fn blocks_of(ends: ptr<function, vec2<${number}>>, begin: u32, end: u32) -> u32 {
    if (end - begin < 2048u) { return end; }
    let wide = end - begin >= 262144u;
    let size = select(128u, 16384u, wide);
    let last = (end + size - 1u) / size;
    var found = *ends;
    for (var b = begin / size; b < last; b++) {
        var other: vec2<${number}>;
        if (wide) { other = larger[b]; } else { other = blocks[b]; }
        found = vec2<${number}>(min(found.x, other.x), max(found.y, other.y));
    }
    *ends = found;
    return begin;
}
