    let number = (group.x + group.y * groups.x) * ${size}u + lane;
    if (number >= kept * chunks) { return; }
    let j = number % kept;
    let piece = number / kept;
    let end = min((piece + 1u) * per, reduced);
    var total = ${before};
    var r = piece * per;
${several}
    for (; r < end; r = r + 1u) {
        total = merge(total, element(j, r));
        ${each}
    }
    ${after}
