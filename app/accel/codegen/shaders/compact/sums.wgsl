    let share = (p[1].x + ${last}u) / ${size}u;
    let first = min(lane * share, p[1].x);
    let end = min(first + share, p[1].x);
    var sum = 0u;
    var k = first;
    for (; k + ${batch}u <= end; k = k + ${batch}u) {
${fetched}
        sum = sum + ${together};
    }
    for (; k < end; k = k + 1u) { sum = sum + scratch[k]; }
${scanned}
    k = first;
    for (; k + ${batch}u <= end; k = k + ${batch}u) {
${fetched}
${kept}
    }
    for (; k < end; k = k + 1u) {
        let mine = scratch[k];
        scratch[k] = before;
        before = before + mine;
    }
}
