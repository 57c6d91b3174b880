fn key_of_${name}(i: u32) -> vec2<u32> {
${key}
    return vec2<u32>(${high}, low);
}

