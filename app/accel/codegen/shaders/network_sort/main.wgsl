    let n = p[2].y; let doublings = p[1].y;
    let lines = ${tile}u >> doublings; let line = number * lines;
    if (line >= p[1].x) { return; }
    let here = min(lines, p[1].x - line);
    if (lane == 0u) { has_minus = 0u; }
    workgroupBarrier();
${load}
    workgroupBarrier();
    {
${runs}
    }
    for (var doubling = 5u; doubling <= doublings; doubling = doubling + 1u) {
        var low_bit = doubling - 4u;
        loop {
            workgroupBarrier();
            switch low_bit {
${steps}
            }
            if (low_bit == 0u) { break; }
            low_bit = max(low_bit, 4u) - 4u;
        }
    }
    workgroupBarrier();
${zeros}
${stores}
}
