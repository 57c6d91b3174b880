    if (number >= p[1].x) { return; }
    let first = begin_of(i32(number) + 1); let end = begin_of(i32(number) + 2);
    var sum = ${zero};
    for (var k = first + lane; k < end; k = k + ${size}u) { sum = sum ${sign} ${value}; }
    parts[lane] = sum;
    workgroupBarrier();
    for (var s = ${size}u / 2u; s > 0u; s = s / 2u) {
        if (lane < s) { parts[lane] = parts[lane] ${sign} parts[lane + s]; }
        workgroupBarrier();
    }
    if (lane == 0u) { out0[number] = ${result}; }
}
