    if (number >= p[1].x) { return; }
    let from_ = p[1].y;
    let first = number * ${tile}u;
    let mine = first + lane * ${own}u;
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
    if (lane < 16u) {
        let start = (held[(lane & 7u) * ${size}u] >> ((lane >> 3u) * 16u)) & 0xffffu;
        var at = scratch[counts(lane, number)];
        for (var d = 0u; d < lane; d = d + 1u) { at = at + scratch[sums(d)]; }
        base[lane] = at - start;
    }
${places}
    workgroupBarrier();
${targets}
    workgroupBarrier();
    let count = min(total() - first, ${tile}u);
${fetch}
${words}
}
