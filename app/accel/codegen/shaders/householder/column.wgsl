    let m = p[2].x; let start = p[0].w; let width = p[1].x; let j = p[1].y;
    let y = lane % ${rows}u; let k = lane / ${rows}u;
    let applies = p[1].w == 1u;
    let next = select(j, j + 1u, applies);
    let c = start + j; let column = c * m;
    let here = (j & 1u) * ${half}u; let there = ((j + 1u) & 1u) * ${half}u;
    let into = select(here, there, applies);
    var weight = ${t}(); var scale = ${t}(); var along = ${t}();
    if (applies) {
        var sum = ${t}();
        var g = y;
        for (; g + 3u * ${rows}u < p[1].z; g = g + 4u * ${rows}u) {
            let at = here + ${block}u * (g + 1u) + k;
            let s0 = scratch[at]; let s1 = scratch[at + ${rows}u * ${block}u];
            let s2 = scratch[at + 2u * ${rows}u * ${block}u];
            let s3 = scratch[at + 3u * ${rows}u * ${block}u];
            sum = sum + ((s0 + s1) + (s2 + s3));
        }
        for (; g < p[1].z; g = g + ${rows}u) {
            sum = sum + scratch[here + ${block}u * (g + 1u) + k];
        }
        tree[lane] = sum;
        workgroupBarrier();
        if (y < 4u) { tree[lane] = tree[lane] + tree[lane + 4u]; }
        workgroupBarrier();
        if (y < 2u) { tree[lane] = tree[lane] + tree[lane + 2u]; }
        workgroupBarrier();
        if (y < 1u) { sums[k] = tree[lane] + tree[lane + 1u]; tops[k] = scratch[here + k]; }
        workgroupBarrier();
        let alpha = tops[j]; let below = sums[j];
        var beta = alpha; var tau = ${t}();
        if (below > ${t}()) {
            beta = sqrt(alpha * alpha + below);
            beta = select(beta, -beta, alpha > ${t}());
            tau = (beta - alpha) / beta;
            scale = ${t}(1.0) / (alpha - beta);
        }
        weight = tau * (tops[k] + scale * sums[k]);
        along = tau * (tops[min(next, ${block}u - 1u)] + scale * sums[min(next, ${block}u - 1u)]);
        if (number == 0u && y == 0u && k < width) {
            if (k == j) { out0[column + c] = beta; out1[c * ${block}u + j] = tau; }
            if (k > j) { out0[(start + k) * m + c] = tops[k] - weight; }
        }
    }
    let first = start + next;
    let mine = min(start + k, p[2].y - 1u) * m;
    let following = min(first, p[2].y - 1u) * m;
    let later = k < width && k >= next && next < width;
    let own = k == j && applies;
    var total = ${t}();
    let step = p[1].z * ${tile}u;
    for (var base = start + number * ${tile}u; base < m; base = base + step) {
${loads}
        workgroupBarrier();
${stores}
    }
    tree[lane] = total;
    workgroupBarrier();
    if (y < 4u) { tree[lane] = tree[lane] + tree[lane + 4u]; }
    workgroupBarrier();
    if (y < 2u) { tree[lane] = tree[lane] + tree[lane + 2u]; }
    workgroupBarrier();
    if (y < 1u) { scratch[into + ${block}u * (number + 1u) + k] = tree[lane] + tree[lane + 1u]; }
}
