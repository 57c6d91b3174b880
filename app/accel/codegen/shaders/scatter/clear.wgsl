    let k = number * ${size}u + lane;
    if (k < total()) { atomicStore(&scratch[k], 0u); }
}
