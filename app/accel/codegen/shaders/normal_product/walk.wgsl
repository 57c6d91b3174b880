    let m = p[2].x; let blocks = (m + ${rows}u - 1u) / ${rows}u;
    let team = lane / ${rows}u;
    for (var c = lane; c < ${columns}u; c = c + ${size}u) { held[c] = in1[c]; }
${sums}
    workgroupBarrier();
    for (var block = number; block < blocks; block = block + p[1].x) {
        let row = block * ${rows}u + lane % ${rows}u;
        let is_row = row < m; let at = min(row, m - 1u);
        var product = ${t}();
${products}
        parts[lane] = product;
        workgroupBarrier();
        var value = parts[lane % ${rows}u];
        for (var k = 1u; k < ${teams}u; k = k + 1u) {
            value = value + parts[k * ${rows}u + lane % ${rows}u];
        }
        ${offset}
        workgroupBarrier();
        if (is_row) {
${updates}
        }
    }
${stores}
}
