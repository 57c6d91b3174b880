    let count = p[1].x; let copies = p[1].y;
    for (var k = lane; k < 1024u; k = k + ${size}u) { atomicStore(&bins[k], 0u); }
    for (var k = lane; k <= count; k = k + ${size}u) { limits[k] = in1[k]; }
    workgroupBarrier();
    let mine = (lane % copies) * count;
    let scale = f32(count) / f32(limits[count] - limits[0]);
    let step = ${size}u * p[1].z;
    var i = number * ${size}u + lane;
    for (; i + 3u * step < total(); i = i + 4u * step) {
        let a = in0[i]; let b = in0[i + step];
        let c = in0[i + 2u * step]; let d = in0[i + 3u * step];
        take(a, mine, count, scale); take(b, mine, count, scale);
        take(c, mine, count, scale); take(d, mine, count, scale);
    }
    for (; i < total(); i = i + step) {
        take(in0[i], mine, count, scale);
    }
    workgroupBarrier();
    for (var k = lane; k < count; k = k + ${size}u) {
        var sum = 0u;
        for (var c = 0u; c < copies; c = c + 1u) {
            sum = sum + atomicLoad(&bins[c * count + k]);
        }
        if (sum > 0u) { atomicAdd(&scratch[k], sum); }
    }
}
