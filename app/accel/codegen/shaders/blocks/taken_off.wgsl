    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    let rows = p[1].w; let columns = p[1].y; let row = p[1].z;
    let tiles = (rows + ${tile}u - 1u) / ${tile}u;
    let here = (number % tiles) * ${tile}u; let there = (number / tiles) * ${tile}u;
    if (there >= columns${skipped}) { return; }
    let x = lane % ${across}u; let y = lane / ${across}u;
${sums}
    for (var first = 0u; first < width; first = first + ${depth}u) {
${fetched}
        workgroupBarrier();
        for (var l = 0u; l < ${depth}u; l = l + 1u) {
${products}
        }
        workgroupBarrier();
    }
${stores}
}
