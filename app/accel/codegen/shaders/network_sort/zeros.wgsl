    // The signs of zeros stay in their order, which equal keys do not tell.
    if (workgroupUniformLoad(&has_minus) == 1u) {
        if (lane < ${words}u) { atomicStore(&signs[lane], 0u); }
        {
            var sum = 0u;
            for (var k = 0u; k < 16u; k = k + 1u) {
                let e = lane * 16u + k;
                if (is_element(e, here)) {
                    let i = source(line, e);
                    ${bits}
                    if (${zero}) { sum = sum + 1u; }
                }
            }
${scanned}
            for (var k = 0u; k < 16u; k = k + 1u) {
                let e = lane * 16u + k;
                if (is_element(e, here)) {
                    let i = source(line, e);
                    ${bits}
                    if (${minus}) { atomicOr(&signs[before >> 5u], 1u << (before & 31u)); }
                    if (${zero}) { before = before + 1u; }
                }
            }
        }
        workgroupBarrier();
        {
            var sum = 0u;
            for (var k = 0u; k < 16u; k = k + 1u) {
                let at = pad(lane * 16u + k);
                if (${zero_key}) { sum = sum + 1u; }
            }
${scanned}
            for (var k = 0u; k < 16u; k = k + 1u) {
                let at = pad(lane * 16u + k);
                if (${zero_key}) {
                    if ((atomicLoad(&signs[before >> 5u]) >> (before & 31u) & 1u) == 1u) {
${turn_minus}
                    }
                    before = before + 1u;
                }
            }
        }
        workgroupBarrier();
    }
