    for (var l0 = start; l0 < depth; l0 = l0 + ${chunk}u) {
        for (var e = lane; e < ${held}u; e = e + ${size}u) {
            let l = l0 + e / ${columns}u; let c = column + e % ${columns}u;
            var value = ${t}();
            if (l < depth && c < few) { value = ${little}; }
            held[e${packed}] = value;
        }
        workgroupBarrier();
        if (l0 + ${chunk}u <= depth) {
${batches}
        } else {
            for (var l = y; l0 + l < depth; l = l + ${groups}u) {
${single}
            }
        }
        workgroupBarrier();
    }
${ends}
