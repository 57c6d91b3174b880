    let n = p[2].x; let sides = p[0].w;
    if (number > p[1].x) { return; }
    if (lane < n) { order[lane] = lane; }
    if (lane == 0u) { atomicStore(&odd, 0u); }
    workgroupBarrier();
    for (var e = lane; e < n * n; e = e + ${size}u) {
        let value = in0[e];
        held[e] = value;
        let bits = ${bits};
        atomicMax(&odd, u32(bits == ${top}) + 2u * u32(bits > ${top}));
    }
    workgroupBarrier();
    if (lane < n) {
        var sum = ${t}();
        for (var r = 0u; r < n; r = r + 1u) { sum = sum + abs(held[lane * n + r]); }
        sizes[lane] = sum;
    }
    var negative = false; var singular = false;
    for (var k = 0u; k < n; k = k + 1u) {
        workgroupBarrier();
        var pivot = k; var best = abs(held[k * n + k]);
        for (var r = k + 1u; r < n; r = r + 1u) {
            let value = abs(held[k * n + r]);
            if (value > best) { best = value; pivot = r; }
        }
        negative = negative != (pivot != k);
        singular = singular || best == ${t}();
        workgroupBarrier();
        if (lane < n && pivot != k) {
            let value = held[lane * n + k];
            held[lane * n + k] = held[lane * n + pivot];
            held[lane * n + pivot] = value;
        }
        if (lane == 0u) { let row = order[k]; order[k] = order[pivot]; order[pivot] = row; }
        workgroupBarrier();
        let diagonal = held[k * n + k];
        let divisor = select(diagonal, ${t}(1.0), diagonal == ${t}());
        if (lane > k && lane < n) { held[k * n + lane] = held[k * n + lane] / divisor; }
        workgroupBarrier();
        let rest = n - k - 1u;
        for (var e = lane; e < rest * rest; e = e + ${size}u) {
            let r = k + 1u + e % rest; let c = k + 1u + e / rest;
            held[c * n + r] = fma(-held[k * n + r], held[c * n + k], held[c * n + r]);
        }
    }
    let unknown = atomicLoad(&odd);
    let all_infinite = singular && unknown == 0u;
    let first = select((number - 1u) * ${tile}u, 0u, number == 0u);
    let end = select(min(first + ${tile}u, sides), n, number == 0u);
    let own = lane / ${team}u; let place = lane % ${team}u;
    for (var begin = first; begin < end; begin = begin + ${tile}u) {
        let c = begin + own; let is_column = c < end; let at = own * n;
        for (var r = place; r < n && is_column; r = r + ${team}u) {
            side[at + r] = ${given};
        }
        for (var k = 0u; k < n; k = k + 1u) {
            workgroupBarrier();
            let solved = side[at + k];
            for (var r = k + 1u + place; r < n && is_column; r = r + ${team}u) {
                side[at + r] = fma(-held[k * n + r], solved, side[at + r]);
            }
        }
        for (var step = 0u; step < n; step = step + 1u) {
            let k = n - 1u - step;
            workgroupBarrier();
            let solved = side[at + k] / held[k * n + k];
            for (var r = place; r < k && is_column; r = r + ${team}u) {
                side[at + r] = fma(-held[k * n + r], solved, side[at + r]);
            }
        }
        workgroupBarrier();
        for (var r = place; r < n && is_column; r = r + ${team}u) {
            var found = side[at + r] / held[r * n + r];
            if (all_infinite) { found = ${infinity}; }
            if (unknown == 2u) { found = ${no_number}; }
            side[at + r] = found;
            if (number > 0u || ${inverse}) { out0[c * n + r] = found; }
        }
        workgroupBarrier();
        if (place == 0u && is_column && number == 0u) {
            var sum = ${t}();
            for (var r = 0u; r < n; r = r + 1u) { sum = sum + abs(side[at + r]); }
            grown[c] = sum;
        }
        workgroupBarrier();
    }
    if (number == 0u && lane == 0u) {
        var size = sizes[0]; var most = grown[0];
        for (var c = 1u; c < n; c = c + 1u) {
            size = max(size, sizes[c]); most = max(most, grown[c]);
        }
        var near = ${t}(1.0) / size / most;
        if (all_infinite) { near = ${t}(); }
        if (unknown > 0u) { near = ${no_number}; }
        out0[${results} * n] = near;
        // Large pivots and small ones take turns, so that the product stays within what is counted.
        var product = select(${t}(1.0), ${t}(-1.0), negative);
        var large = 0u; var small = 0u;
        for (var k = 0u; k < n; k = k + 1u) {
            while (large < n && abs(held[large * n + large]) < ${t}(1.0)) { large = large + 1u; }
            while (small < n && !(abs(held[small * n + small]) < ${t}(1.0))) { small = small + 1u; }
            if (small >= n || (large < n && abs(product) <= ${t}(1.0))) {
                product = product * held[large * n + large]; large = large + 1u;
            } else {
                product = product * held[small * n + small]; small = small + 1u;
            }
        }
        out0[${results} * n + 1u] = product;
        for (var r = 2u; r < n; r = r + 1u) { out0[${results} * n + r] = ${t}(); }
    }
}
