    let column = number / p[1].x; let key = number % p[1].x;
    if (column >= ${columns}u) { return; }
    var sum = ${zero};
    for (var k = lane; k < p[1].z; k = k + ${size}u) {
        sum = sum + scratch[(column * p[1].z + k) * p[1].x + key];
    }
    parts[lane] = sum;
    workgroupBarrier();
    for (var s = ${size}u / 2u; s > 0u; s = s / 2u) {
        if (lane < s) { parts[lane] = parts[lane] + parts[lane + s]; }
        workgroupBarrier();
    }
    if (lane == 0u) {
        switch column {
${results}
        }
    }
}
