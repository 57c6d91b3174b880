    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    let point = number * ${size}u + lane;
    if (point >= n - width) { return; }
    let at = select(point + width, point, point < start) * n;
    for (var j = 0u; j < width; j = j + 1u) {
        let old = out0[at + start + j]; let pivot = scratch[start + j];
        out0[at + start + j] = out0[at + pivot];
        out0[at + pivot] = old;
    }
}
