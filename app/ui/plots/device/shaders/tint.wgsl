// Which colour of the palette every point has, in w; points without a value are not drawn.
//include point_value
    let place = clamp(floor((value - tint.low) * tint.scale), 0.0, f32(tint.colors - 1u));
    points[k].w = select(0.0, place, is_finite(value));
    points[k].z = select(0.0, points[k].z, is_finite(value));
}
