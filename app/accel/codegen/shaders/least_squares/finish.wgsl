    if (number > 0u) { return; }
    let rows = p[2].x;
    for (var part = lane; part < p[0].w; part = part + ${size}u) {
        for (var r = 0u; r < ${columns}u; r = r + 1u) {
            let at = (part * ${columns}u + r) * ${wide}u;
            for (var c = 0u; c < ${wide}u; c = c + 1u) { x[c] = scratch[at + c]; }
            fold();
        }
    }
${tree}
    if (lane > 0u) { return; }
    keep(0u);
    var order: array<u32, ${columns}>;
    for (var j = 0u; j < ${columns}u; j = j + 1u) { order[j] = j; }
    for (var j = 0u; j < ${columns}u; j = j + 1u) {
        var best = ${t}(-1.0); var place = j;
        for (var c = j; c < ${columns}u; c = c + 1u) {
            var most = ${t}();
            for (var r = j; r < ${columns}u; r = r + 1u) {
                most = max(most, abs(held[r * ${wide}u + c]));
            }
            var sum = ${t}();
            for (var r = j; r < ${columns}u && most > ${t}(); r = r + 1u) {
                let part = held[r * ${wide}u + c] / most;
                sum = fma(part, part, sum);
            }
            let length = most * sqrt(sum);
            // Of columns of one length, to rounding, the first is taken; before all, one with a NaN.
            if (!(length <= best * (${t}(1.0) + ${t}(4096.0) * ${eps}))) { best = length; place = c; }
        }
        for (var r = 0u; r < ${columns}u; r = r + 1u) {
            let value = held[r * ${wide}u + j];
            held[r * ${wide}u + j] = held[r * ${wide}u + place];
            held[r * ${wide}u + place] = value;
        }
        let moved = order[j]; order[j] = order[place]; order[place] = moved;
        for (var r = j + 1u; r < ${columns}u; r = r + 1u) {
            if (held[r * ${wide}u + j] == ${t}()) { continue; }
            let turn = rotation(held[j * ${wide}u + j], held[r * ${wide}u + j]);
            for (var c = j; c < ${wide}u; c = c + 1u) {
                let upper = held[j * ${wide}u + c]; let lower = held[r * ${wide}u + c];
                held[j * ${wide}u + c] = fma(turn[0], upper, turn[1] * lower);
                held[r * ${wide}u + c] = fma(turn[0], lower, -turn[1] * upper);
            }
        }
    }
    let least = ${t}(max(rows, ${columns}u)) * ${eps} * abs(held[0]);
    var rank = 0u;
    for (var j = 0u; j < ${columns}u; j = j + 1u) {
        if (abs(held[j * ${wide}u + j]) > least) { rank = rank + 1u; }
    }
    for (var c = ${columns}u; c < ${wide}u; c = c + 1u) {
        for (var step = 0u; step < ${columns}u; step = step + 1u) {
            let j = ${columns}u - 1u - step;
            var value = ${t}();
            if (j < rank) {
                value = held[j * ${wide}u + c];
                for (var k = j + 1u; k < rank; k = k + 1u) {
                    value = fma(-held[j * ${wide}u + k], held[k * ${wide}u + c], value);
                }
                value = value / held[j * ${wide}u + j];
            }
            held[j * ${wide}u + c] = value;
            out0[(c - ${columns}u) * ${columns}u + order[j]] = value;
        }
    }
    for (var j = 0u; j < ${columns}u; j = j + 1u) {
        out0[${sides}u * ${columns}u + j] = select(${t}(), ${t}(rank), j == 0u);
    }
}
