fn unit_f32(w: vec4<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>((w >> vec4<u32>(9u)) | vec4<u32>(0x3f800000u))
        - vec4<f32>(bitcast<f32>(0x3f7fffffu | zero));
}

