    let n = p[2].x; let start = p[0].w; let width = p[1].x;
${fetched}
    if (lane < ${block}u) { inverse[lane] = ${pivot}; }
    workgroupBarrier();
    let column = number * ${size}u + lane;
    if (column >= p[1].y) { return; }
    let at = (${first} + column) * n + start;
${steps}
}
