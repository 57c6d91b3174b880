    let n = p[2].x; let start = p[0].w; let rows = p[1].w;
    let point = number * ${size}u + lane;
    if (point >= rows * p[1].y) { return; }
    let row = p[1].z + point % rows; let column = point / rows * n;
    var sum = ${t}();
    for (var k = 0u; k < p[1].x; k = k + 1u) {
        sum = fma(${matrix}[(start + k) * n + row], out0[column + start + k], sum);
    }
    out0[column + row] = out0[column + row] - sum;
}
