    let first = begin_of(i32(key) + 1); let end = begin_of(i32(key) + 2);
    var best = vec2<u32>(0u); var place = 0xffffffffu;
    for (var k = first${start}; k < end; k = k + ${step}u) {
        let rank = rank_of(k);
        if (exceeds(rank, k, best, place)) { best = rank; place = k; }
    }

