    let i${k} = mine + ${k}u * slots;
    let have${k} = i${k} < total();
    var d${k} = 0u; var key${k} = 0u;
    if (have${k}) { key${k} = taken(from_, 0u, i${k}); d${k} = digit(from_, i${k}); }
    let word${k} = band * ${half}u + d${k} % ${half}u; let shift${k} = d${k} / ${half}u * 16u;
    let same${k} = alike(d${k}, have${k});
    let rank${k} = counted(same${k} & low);
    var r${k} = 0u;
    if (have${k} && rank${k} == 0u) {
        r${k} = atomicAdd(&counters[word${k}], counted(same${k}) << shift${k});
    }
    r${k} = subgroupShuffle(r${k}, min(lowest(same${k}), slots - 1u)) >> shift${k};
    r${k} = (r${k} & 0xffffu) + rank${k};
    subgroupBarrier();
