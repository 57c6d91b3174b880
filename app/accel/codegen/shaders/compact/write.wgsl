    if (number >= p[1].x) { return; }
    let first = (number * ${size}u + lane) * ${own}u;
    var sum = 0u;
    for (var k = 0u; k < ${own}u; k = k + 1u) { sum = sum + countOneBits(held(first + k)); }
${scanned}
    for (var k = 0u; k < ${own}u; k = k + 1u) {
        var bits = held(first + k);
        while (bits != 0u) {
            chosen[before] = 4u * (first + k) + countTrailingZeros(bits) / 8u;
            before = before + 1u;
            bits = bits & (bits - 1u);
        }
    }
    workgroupBarrier();
    let start = scratch[number];
    let count = min(tree[${last}u], p[1].y - min(start, p[1].y));
    for (var k = lane; k < count; k = k + ${size}u) {
        let at = chosen[k]; let to = start + k;
${store}
    }
}
