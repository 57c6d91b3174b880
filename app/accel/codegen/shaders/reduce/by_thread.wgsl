    let number = (group.x + group.y * groups.x) * ${size}u + lane;
    let across = kept / ${lanes}u;
    if (number >= across * chunks) { return; }
    let j = (number % across) * ${lanes}u;
    let piece = number / across;
${totals}
    var r = piece;
${loop}
${finish}
