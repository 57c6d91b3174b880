    for (var s = ${near}u; s > 0u; s = s >> 1u) {
        total${q} = merge_${q}(total${q}, moved_${q}(total${q}, s));
    }

