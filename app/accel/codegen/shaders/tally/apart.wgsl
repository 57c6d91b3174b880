    let count = p[1].x; let copies = p[1].y; let apart = ${size}u * p[1].z;
    for (var k = lane; k < count * copies; k = k + ${size}u) { atomicStore(&bins[k], 0u); }
    workgroupBarrier();
    var i = number * ${size}u + lane;
    for (; i + 3u * apart < total(); i = i + 4u * apart) {
        let a = bitcast<u32>(in0[i]); let b = bitcast<u32>(in0[i + apart]);
        let c = bitcast<u32>(in0[i + 2u * apart]); let d = bitcast<u32>(in0[i + 3u * apart]);
        count_one(a - 1u, lane); count_one(b - 1u, lane);
        count_one(c - 1u, lane); count_one(d - 1u, lane);
    }
    for (; i < total(); i = i + apart) { count_one(bitcast<u32>(in0[i]) - 1u, lane); }
    workgroupBarrier();
    for (var k = lane; k < count; k = k + ${size}u) {
        var sum = 0u;
        for (var c = 0u; c < copies; c = c + 1u) { sum = sum + atomicLoad(&bins[k * copies + c]); }
        if (sum > 0u) { atomicAdd(&scratch[k], sum); }
    }
}
