    var l = start + lane;
    for (; l + ${size}u < depth; l = l + ${two}u) {
${pair}
    }
    if (l < depth) {
${single}
    }
${ends}
