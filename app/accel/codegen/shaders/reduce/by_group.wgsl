    let number = group.x + group.y * groups.x;
    if (number >= kept * chunks) { return; }
    let j = number / chunks;
    let piece = number % chunks;
    var total = identity();
${loop}
    tree[lane] = total;
    workgroupBarrier();
    for (var s = ${half}u; s > 0u; s = s >> 1u) {
        if (lane < s) { tree[lane] = merge(tree[lane], tree[lane + s]); }
        workgroupBarrier();
    }
    if (lane == 0u) { ${finish} }
