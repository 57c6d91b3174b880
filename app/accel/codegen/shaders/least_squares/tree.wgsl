    for (var s = ${size}u / 2u; s > 0u; s = s >> 1u) {
        if (lane >= s && lane < 2u * s) { keep((lane - s) * ${columns}u * ${wide}u); }
        workgroupBarrier();
        if (lane < s) { fold_kept(lane * ${columns}u * ${wide}u); }
        workgroupBarrier();
    }
