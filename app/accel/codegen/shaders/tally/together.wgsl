    for (var i = number * ${size}u + lane; i < total(); i = i + ${size}u * p[1].z) {
        let key = bitcast<u32>(in0[i]) - 1u;
        if (key < p[1].x) { atomicAdd(&scratch[key], 1u); }
    }
}
