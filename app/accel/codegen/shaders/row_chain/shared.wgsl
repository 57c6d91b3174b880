    tree_${q}[slot] = total${q};
    workgroupBarrier();
    for (var s = ${half}u; s > ${near}u; s = s >> 1u) {
        if (place < s) { tree_${q}[slot] = merge_${q}(tree_${q}[slot], tree_${q}[slot + s]); }
        workgroupBarrier();
    }
    total${q} = tree_${q}[slot];

