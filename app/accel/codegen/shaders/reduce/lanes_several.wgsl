    for (; r + chunks < reduced; r = r + 2u * chunks) {
        let a = across4(j, r); let b = across4(j, r + chunks);
        total0 = merge(total0, merge(a.v0, b.v0)); total1 = merge(total1, merge(a.v1, b.v1));
        total2 = merge(total2, merge(a.v2, b.v2)); total3 = merge(total3, merge(a.v3, b.v3));
    }

