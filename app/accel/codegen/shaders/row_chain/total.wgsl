    var total${q} = identity_${q}();
    var r${q} = place;
${unrolled}
    for (; r${q} < last; r${q} = r${q} + ${team}u) {
        total${q} = merge_${q}(total${q}, element_${q}(j, r${q}));
    }
${shared}${exchanged}    if (place == 0u && j < kept) { finish_${q}(j, total${q}); }
    storageBarrier();
    workgroupBarrier();
