        let r${q} = base + ${q}u * ${rows}u + y;
        let x${q} = out0[mine + min(r${q}, m - 1u)];
        let b${q} = out0[following + min(r${q}, m - 1u)];
        let a${q} = select(${t}(), out0[column + min(r${q}, m - 1u)] * scale, applies);
