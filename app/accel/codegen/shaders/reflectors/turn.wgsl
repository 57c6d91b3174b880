    let first = number * ${columns}u;
    let i = lane % ${block}u; let j = lane / ${block}u;
    let column = first + j;
    var sum = ${t}();
    if (column < p[1].z) {
        for (var k = 0u; k < p[1].w; k = k + 1u) {
            sum = sum + scratch[(k * p[1].z + column) * ${block}u + i];
        }
    }
    held[lane] = sum;
    for (var e = lane; e < ${block}u * ${block}u; e = e + ${size}u) {
        let row = e % ${block}u; let at = e / ${block}u;
        var value = ${t}();
        if (row <= at && at < p[1].x) { value = ${triangle}[(p[0].w + at) * ${block}u + row]; }
        t_held[e] = value;
    }
    workgroupBarrier();
    var found = ${t}();
    for (var k = 0u; k < ${block}u; k = k + 1u) {
        found = fma(t_held[${factor}], held[j * ${block}u + k], found);
    }
    if (column < p[1].z) { scratch[column * ${block}u + i] = found; }
}
