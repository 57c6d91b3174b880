    for (; r < reduced; r = r + chunks) {
        let a = across4(j, r);
        total0 = merge(total0, a.v0); total1 = merge(total1, a.v1);
        total2 = merge(total2, a.v2); total3 = merge(total3, a.v3);
    }
