    if (number >= ${columns}u) { return; }
    var sum = ${t}();
    for (var k = lane; k < p[1].x * ${rows}u; k = k + ${size}u) {
        let piece = k / ${rows}u;
        sum = sum + scratch[(piece * ${columns}u + number) * ${rows}u + k % ${rows}u];
    }
    tree[lane] = sum;
    workgroupBarrier();
    for (var s = ${size}u / 2u; s > 0u; s = s / 2u) {
        if (lane < s) { tree[lane] = tree[lane] + tree[lane + s]; }
        workgroupBarrier();
    }
    if (lane == 0u) { out0[number] = tree[0]; }
}
