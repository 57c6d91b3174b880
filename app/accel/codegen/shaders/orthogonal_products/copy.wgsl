    let at = number * ${size}u + lane;
    if (at < total()) { out0[at] = in2[at]; }
}
