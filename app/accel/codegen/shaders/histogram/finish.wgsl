    let k = number * ${size}u + lane;
    if (k < p[1].x) { out0[k] = f64(atomicLoad(&scratch[k])); }
}
