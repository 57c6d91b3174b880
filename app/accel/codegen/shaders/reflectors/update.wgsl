    let n = p[2].x; let start = p[0].w; let rows = n - start; let columns = p[1].z - ${skip};
    let tiles = (rows + ${tile}u - 1u) / ${tile}u;
    let here = (number % tiles) * ${tile}u; let there = (number / tiles) * ${tile}u;
    if (there >= columns) { return; }
    let x = lane % ${across}u; let y = lane / ${across}u;
${sums}
    for (var first = 0u; first < ${block}u; first = first + ${depth}u) {
${fetched}
        workgroupBarrier();
        for (var l = 0u; l < ${depth}u; l = l + 1u) {
${products}
        }
        workgroupBarrier();
    }
${stores}
}
