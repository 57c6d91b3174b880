    if (number >= ${digits}u) { return; }
    let share = (p[1].x + ${last}u) / ${size}u;
    let first = min(lane * share, p[1].x);
    let end = min(first + share, p[1].x);
    var sum = 0u;
    for (var k = first; k < end; k = k + 1u) { sum = sum + scratch[counts(number, k)]; }
${scanned}
    for (var k = first; k < end; k = k + 1u) {
        let mine = scratch[counts(number, k)];
        scratch[counts(number, k)] = before;
        before = before + mine;
    }
    if (lane == 0u) { scratch[sums(number)] = tree[${last}u]; }
}
