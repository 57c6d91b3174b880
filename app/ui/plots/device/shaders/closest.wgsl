// The distance of a point from a spot, as bits: those of numbers that are not negative are in order.
struct Spot { x: f32, y: f32, total: u32, part: u32 }
@group(0) @binding(0) var<storage, read> spot: Spot;
@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> found: array<atomic<u32>>;
fn gap_bits(k: u32) -> u32 {
    let p = points[k];
    if (p.z <= 0.0) { return 0xffffffffu; }
    return bitcast<u32>(distance(p.xy, vec2f(spot.x, spot.y)));
}
