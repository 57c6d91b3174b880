    x = vec4<u32>(high_u32(x.z, 0xcd9e8d57u) ^ x.y ^ k.x, x.z * 0xcd9e8d57u,
                  high_u32(x.x, 0xd2511f53u) ^ x.w ^ k.y, x.x * 0xd2511f53u);

