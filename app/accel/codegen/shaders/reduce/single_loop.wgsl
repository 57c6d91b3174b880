    let last = ${end};
    for (var q = piece * (${per}) + lane; q < last; q = q + ${size}u) {
        total = merge(total, ${call}(j, q));
    }
