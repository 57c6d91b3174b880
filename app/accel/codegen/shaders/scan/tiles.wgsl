    let slot = lane % ${team}u;
    let base = lane / ${team}u * ${tile}u;
    let mine = base + slot * ${own}u;
    // All elements of a lane are on their way before the first is held.
    let line = min(j, kept - 1u);
    let final_ = stop - 1u;
    var before = ${before};
    for (var tile = piece * per; tile < stop; tile = tile + ${tile}u) {
${load}
        workgroupBarrier();
${local}
        tree[lane] = o${top};
        workgroupBarrier();
        for (var s = 1u; s < ${team}u; s = s << 1u) {
            var sum = tree[lane];
            if (slot >= s) { sum = merge(tree[lane - s], sum); }
            workgroupBarrier();
            tree[lane] = sum;
            workgroupBarrier();
        }
        var left_of = before;
        if (slot > 0u) { left_of = merge(before, tree[lane - 1u]); }
        before = merge(before, tree[lane - slot + ${last}u]);
${back}
        workgroupBarrier();
${store}
        workgroupBarrier();
    }
