    a = u64(x.x) * 0xd2511f53lu; b = u64(x.z) * 0xcd9e8d57lu;
    x = vec4<u32>(u32(b >> 32u) ^ x.y ^ k.x, u32(b & 0xfffffffflu),
                  u32(a >> 32u) ^ x.w ^ k.y, u32(a & 0xfffffffflu));

