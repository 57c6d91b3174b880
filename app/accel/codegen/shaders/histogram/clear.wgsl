    let k = number * ${size}u + lane;
    if (k < p[1].x) { atomicStore(&scratch[k], 0u); }
}
