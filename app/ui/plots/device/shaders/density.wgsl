// Very many markers: the more points on a pixel, the stronger its colour; the nearest one reaches
// over the pixels around it that have no points of their own.
//include paint
//include full

@group(0) @binding(1) var<storage, read> nearest: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
//include is_far

@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    let size = vec2u(paint.size);
    let centre = vec2u(place.xy);
    let reach = u32(ceil(paint.radius));
    let low = centre - min(centre, vec2u(reach));
    let high = min(centre + reach, size - 1u);
    if (is_far(low, high, (size.x + 7u) / 8u)) { return vec4f(0.0); }
    var best = f32((reach + 1u) * (reach + 1u));
    var count = 0u;
    for (var dy = 0u; dy <= reach && f32(dy * dy) < best; dy++) {
        for (var side = 0u; side < 2u; side++) {
            let y = select(centre.y + dy, centre.y - dy, side == 1u);
            if (y >= size.y) { continue; }  // above the first row it is very large
            let found = nearest[y * size.x + centre.x];
            let way = found >> 24u;
            let far = f32(way * way + dy * dy);
            if (found != 0u && far < best) {
                best = far;
                count = found & 0xffffffu;
            }
        }
    }
    let coverage = clamp(paint.radius + 0.5 - sqrt(best), 0.0, 1.0);
    let weight = clamp(0.28 + 0.12 * log2(f32(count) + 1.0), 0.0, 1.0);
    return select(vec4f(0.0), paint.color * (coverage * weight), count > 0u);
}
