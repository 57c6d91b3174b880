    let at = number * ${size}u + lane;
    if (at >= total()) { return; }
    out0[at] = in0[at];${order}
}
