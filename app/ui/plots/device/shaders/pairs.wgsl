// Points and their partners in `floors` or on a base line. Bits of `paint.mirror`: 1 mirror x, 2
// exchange x and y, 4 partners are in `floors`.
//include paint

@group(0) @binding(1) var<storage, read> points: array<vec4f>;
@group(0) @binding(2) var<storage, read> floors: array<vec4f>;

fn turned(p: vec4f) -> vec4f {
    let swapped = (paint.mirror & 2u) != 0u;
    let across = select(paint.size.x, paint.size.y, swapped);
    let x = select(p.x, across - p.x, (paint.mirror & 1u) != 0u);
    return select(vec4f(x, p.yzw), vec4f(p.y, x, p.zw), swapped);
}
fn top(k: u32) -> vec4f { return turned(points[k]); }
// The base line's pixel is in dashes.x.
fn foot(k: u32) -> vec4f {
    if ((paint.mirror & 4u) != 0u) { return turned(floors[k]); }
    let p = points[k];
    return turned(vec4f(p.x, paint.dashes.x, p.z, p.w));
}
fn nowhere() -> vec4f { return vec4f(2.0, 2.0, 2.0, 1.0); }
fn far_end(corner: u32) -> bool { return corner == 1u || corner == 2u || corner == 4u; }
fn far_side(corner: u32) -> bool { return corner == 2u || corner == 4u || corner == 5u; }
