    let at = number * ${size}u + lane;
    if (at >= total()) { return; }
    let n = p[2].x;
    out0[at] = in2[at / n * n + u32(in1[at % n]) - 1u];
}
