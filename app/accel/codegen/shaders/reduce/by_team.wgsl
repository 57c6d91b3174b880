    let place = lane % ${team}u;
    let number = (group.x + group.y * groups.x) * ${teams}u + lane / ${team}u;
    let j = min(number, kept - 1u);
    var total = identity();
${loop}
    tree[lane] = total;
    workgroupBarrier();
    for (var s = ${half}u; s > 0u; s = s >> 1u) {
        if (place < s) { tree[lane] = merge(tree[lane], tree[lane + s]); }
        workgroupBarrier();
    }
    if (place == 0u && number < kept) { finish(j, tree[lane]); }
