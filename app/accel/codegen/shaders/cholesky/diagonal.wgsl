    if (number > 0u) { return; }
    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    let at = (start + min(lane, width - 1u)) * n + start;
${steps}
}
