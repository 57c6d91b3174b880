    let j = group.x + group.y * groups.x;
    if (j >= kept) { return; }
    let share = (chunks + ${last}u) / ${size}u;
    let first = lane * share;
    let end = min(first + share, chunks);
    var total = identity();
    for (var k = first; k < end; k = k + 1u) { total = merge(total, scratch[k * kept + j]); }
    tree[lane] = total;
    workgroupBarrier();
    for (var s = 1u; s < ${size}u; s = s << 1u) {
        var sum = tree[lane];
        if (lane >= s) { sum = merge(tree[lane - s], sum); }
        workgroupBarrier();
        tree[lane] = sum;
        workgroupBarrier();
    }
    total = identity();
    if (lane > 0u) { total = tree[lane - 1u]; }
    for (var k = first; k < end; k = k + 1u) {
        let next = merge(total, scratch[k * kept + j]);
        scratch[k * kept + j] = total;
        total = next;
    }
