// Puts one finished layer over the others.
//include full

@group(0) @binding(0) var layer: texture_2d<f32>;
@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    return textureLoad(layer, vec2i(place.xy), 0);
}
