    if (number >= p[1].x) { return; }
    for (var k = lane; k < ${bins}u; k = k + ${size}u) { atomicStore(&bins[k], 0u); }
    workgroupBarrier();
    let first = number * ${tile}u;
    for (var k = lane; k < ${tile}u; k = k + ${size}u) {
        if (first + k < total()) {
            atomicAdd(&bins[digit(p[1].y, first + k) * ${copies}u + lane % ${copies}u], 1u);
        }
    }
    workgroupBarrier();
    if (lane < ${digits}u) {
        var sum = 0u;
        for (var k = 0u; k < ${copies}u; k = k + 1u) {
            sum = sum + atomicLoad(&bins[lane * ${copies}u + k]);
        }
        scratch[counts(lane, number)] = sum;
    }
}
