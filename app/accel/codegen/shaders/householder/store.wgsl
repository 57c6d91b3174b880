        if (own && r${q} > c && r${q} < m) { out0[column + r${q}] = a${q}; }
        if (later && r${q} >= first && r${q} < m) {
            let value = fma(-weight, a${q}, x${q});
            if (applies) { out0[mine + r${q}] = value; }
            if (r${q} == first) { scratch[into + k] = value; }
            else { total = fma(value, fma(-along, a${q}, b${q}), total); }
        }
