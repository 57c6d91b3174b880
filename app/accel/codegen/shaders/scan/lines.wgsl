    let j = (group.x + group.y * groups.x) * ${lines}u + lane / ${team}u;
    let piece = 0u;
    let stop = reduced;
    let end = select(0u, reduced, j < kept);
