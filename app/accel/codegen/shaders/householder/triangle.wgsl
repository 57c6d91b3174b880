    let width = p[1].x;
    for (var e = lane; e < ${block}u * ${block}u; e = e + ${size}u) {
        let i = e % ${block}u; let j = e / ${block}u;
        var sum = ${t}();
        if (j < width && i < j) {
            for (var k = 0u; k < p[1].w; k = k + 1u) {
                sum = sum + scratch[(k * p[1].z + j) * ${block}u + i];
            }
        }
        gram[e] = sum;
        made[e] = ${t}();
    }
    workgroupBarrier();
    for (var j = 0u; j < width; j = j + 1u) {
        let tau = out1[(p[0].w + j) * ${block}u + j];
        if (lane < j) {
            var sum = ${t}();
            for (var k = lane; k < j; k = k + 1u) {
                sum = fma(made[k * ${block}u + lane], gram[j * ${block}u + k], sum);
            }
            made[j * ${block}u + lane] = -tau * sum;
        }
        if (lane == j) { made[j * ${block}u + j] = tau; }
        workgroupBarrier();
    }
    for (var e = lane; e < ${block}u * width; e = e + ${size}u) {
        out1[p[0].w * ${block}u + e] = made[e];
    }
}
