    let k = number * ${size}u + lane;
    if (k >= total()) { return; }
    let claim = atomicLoad(&scratch[k]);
    if (claim == 0u) {
${kept}
    } else {
        let from_value = min(claim - 1u, p[1].y);
${taken}
    }
}
