        let d${k} = digit(${words}, place${k}, shift);
        let at${k} = (d${k} & 7u) * ${size}u + lane; let half${k} = (d${k} >> 3u) * 16u;
        var r${k} = (held[at${k}] >> half${k}) & 0xffffu;
        held[at${k}] = held[at${k}] + (1u << half${k});
