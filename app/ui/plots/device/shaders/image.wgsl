// An image whose values lie in a buffer, with the colours of a palette or its own.
struct Image {
    column_scale: f32, column_shift: f32, row_scale: f32, row_shift: f32,
    columns: u32, rows: u32, offset: u32, colors: u32,
    low_high: f32, low_low: f32, scale: f32, channels: u32,
    unit: f32, direct: u32, log: u32, alpha: f32,
    alpha_scale: f32, alpha_shift: f32, alpha_offset: u32, unused: u32,
}
@group(0) @binding(0) var<storage, read> image: Image;
@group(0) @binding(2) var<storage, read> palette: array<u32>;
fn is_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u; }
fn is_nan(v: f32) -> bool { return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u; }
${values}
${opacity}
//include full

fn shade(value: ${number}) -> vec4f {
    let plain = f32(value);
    if (is_nan(plain)) { return vec4f(0.0); }
    let last = f32(image.colors - 1u);
    var place = f32((value - ${number}(image.low_high) - ${number}(image.low_low))
                    * ${number}(image.scale));
    if (image.direct != 0u) { place = plain - 1.0 + f32(image.direct - 1u); }
    if (image.log != 0u) {
        place = (log2(max(plain, 1e-38)) - image.low_high) * image.scale;
    }
    return unpack4x8unorm(palette[u32(clamp(floor(place), 0.0, last))]);
}

@fragment
fn fragment(@builtin(position) place: vec4f) -> @location(0) vec4f {
    let column = floor(place.x * image.column_scale + image.column_shift);
    let row = floor(place.y * image.row_scale + image.row_shift);
    if (column < 0.0 || row < 0.0 || column >= f32(image.columns) || row >= f32(image.rows)) {
        return vec4f(0.0);
    }
    let here = u32(column) * image.rows + u32(row);
    let i = image.offset + here;
    if (image.channels == 3u) {
        let page = image.rows * image.columns;
        let rgb = vec3f(f32(load_values(i)), f32(load_values(i + page)),
                        f32(load_values(i + 2u * page)));
        return vec4f(clamp(rgb * image.unit, vec3f(0.0), vec3f(1.0)), 1.0) * opacity(here);
    }
    return shade(load_values(i)) * opacity(here);
}
