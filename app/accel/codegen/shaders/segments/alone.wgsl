    let key = number * ${size}u + lane;
    if (key >= p[1].x) { return; }
    let first = begin_of(i32(key) + 1); let end = begin_of(i32(key) + 2);
    var sum = ${zero};
    for (var k = first; k < end; k = k + 1u) { sum = sum ${sign} ${value}; }
    out0[key] = ${result};
}
