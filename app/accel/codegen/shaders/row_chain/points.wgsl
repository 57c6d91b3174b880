    for (var r = place; r < last; r = r + ${team}u) { point_${q}(j, r); }
    storageBarrier();
    workgroupBarrier();
