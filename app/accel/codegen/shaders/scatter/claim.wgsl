    let i = number * ${size}u + lane;
    if (i < p[1].x) { atomicMax(&scratch[in1[i].x], i + 1u); }
}
