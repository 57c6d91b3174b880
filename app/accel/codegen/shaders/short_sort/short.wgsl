    let n = p[2].y; let lines = ${tile}u / n;
    let line = number * lines;
    if (line >= p[1].x) { return; }
    let here = min(lines, p[1].x - line) * n;
${load}
    for (var shift = 0u; shift < ${bits}u + p[1].y; shift = shift + 4u) {
        workgroupBarrier();
        for (var k = 0u; k < 8u; k = k + 1u) { held[k * ${size}u + lane] = 0u; }
${ranks}
        workgroupBarrier();
        var sum = 0u;
        for (var k = 0u; k < 8u; k = k + 1u) { sum = sum + held[lane * 8u + k]; }
${scanned}
        before = before + (tree[${last}u] << 16u);
        for (var k = 0u; k < 8u; k = k + 1u) {
            let next = held[lane * 8u + k];
            held[lane * 8u + k] = before;
            before = before + next;
        }
        workgroupBarrier();
${places}
${exchange}
    }
${spread}
${stores}
}
