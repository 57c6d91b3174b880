    if (number >= p[1].x) { return; }
    let inner = p[2].x; let n = p[2].y;
    let start = number % inner + number / inner * inner * n;
    var keys: array<vec2<u32>, ${most}>;
    var places: array<u32, ${most}>;
    for (var q = 0u; q < ${most}u; q = q + 1u) {
        keys[q] = vec2<u32>(0xffffffffu); places[q] = 0xffffffffu;
    }
    for (var i = lane; i < n; i = i + ${size}u) {
        let key = key_at(start + i * inner);
        if (!before(key, i, keys[${last_kept}u], places[${last_kept}u])) { continue; }
        var q = ${last_kept}u;
        while (q > 0u && before(key, i, keys[max(q, 1u) - 1u], places[max(q, 1u) - 1u])) {
            keys[q] = keys[q - 1u]; places[q] = places[q - 1u];
            q = q - 1u;
        }
        keys[q] = key; places[q] = i;
    }
    var head = 0u;
    for (var r = 0u; r < ${most}u; r = r + 1u) {
        let mine = min(head, ${last_kept}u);
        first_keys[lane] = select(keys[mine], vec2<u32>(0xffffffffu), head >= ${most}u);
        first_places[lane] = select(places[mine], 0xffffffffu, head >= ${most}u);
        workgroupBarrier();
        for (var s = ${size}u / 2u; s > 0u; s = s / 2u) {
            if (lane < s && before(first_keys[lane + s], first_places[lane + s],
                                   first_keys[lane], first_places[lane])) {
                first_keys[lane] = first_keys[lane + s];
                first_places[lane] = first_places[lane + s];
            }
            workgroupBarrier();
        }
        let found = first_places[0];
        workgroupBarrier();
        if (head < ${most}u && places[mine] == found) { head = head + 1u; }
        if (lane == 0u) {
            let at = start + found * inner;
            let to = number % inner + number / inner * inner * ${most}u + r * inner;
${stores}
        }
    }
}
