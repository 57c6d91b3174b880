    if (number >= p[1].x) { return; }
    let first = (number * ${size}u + lane) * ${own}u;
    var sum = 0u;
    for (var k = 0u; k < ${own}u; k = k + 1u) { sum = sum + countOneBits(held(first + k)); }
${scanned}
    if (lane == ${last}u) { scratch[number] = before + sum; }
}
