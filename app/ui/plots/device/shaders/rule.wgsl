// A line right across the picture, at the pixel in radius.
//include paint
//include full

@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    let along = select(place.y, place.x, paint.mirror != 0u);
    return paint.color * clamp(paint.half_width + 0.5 - abs(along - paint.radius), 0.0, 1.0);
}
