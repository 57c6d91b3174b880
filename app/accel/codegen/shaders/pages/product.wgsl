    let m = p[1].x; let n = p[0].w; let depth = p[1].y;
    let page = number / p[1].w; let at = number % p[1].w;
    let tiles = (m + ${tile}u - 1u) / ${tile}u;
    let here = (at % tiles) * ${tile}u; let there = (at / tiles) * ${tile}u;
    if (page >= p[2].z) { return; }
    let first_a = page * m * depth; let first_b = page * p[1].z; let first_c = page * m * n;
    let x = lane % ${across}u; let y = lane / ${across}u;
${sums}
${declared}
    var first = 0u;
${fetched}
    loop {
${stored}
        workgroupBarrier();
        first = first + ${depth}u;
        if (first < depth) {
${fetched}
        }
        for (var l = 0u; l < ${depth}u; l = l + 1u) {
${products}
        }
        workgroupBarrier();
        if (first >= depth) { break; }
    }
${stores}
}
