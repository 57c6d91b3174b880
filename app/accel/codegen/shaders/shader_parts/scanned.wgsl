    tree[lane] = sum;
    workgroupBarrier();
    for (var s = 1u; s < ${size}u; s = s << 1u) {
        var more = tree[lane];
        if (lane >= s) { more = more + tree[lane - s]; }
        workgroupBarrier();
        tree[lane] = more;
        workgroupBarrier();
    }
    var before = 0u;
    if (lane > 0u) { before = tree[lane - 1u]; }
