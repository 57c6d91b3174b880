    let at = number * ${size}u + lane;
    if (at >= total() || at % p[2].x <= at / p[2].x) { return; }
    out0[at] = ${t}();
}
