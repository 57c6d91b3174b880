    for (; r + 3u * chunks < reduced; r = r + 4u * chunks) {
        let a = element(j, r); let b = element(j, r + chunks);
        let c = element(j, r + 2u * chunks); let d = element(j, r + 3u * chunks);
        total = merge(total, merge(merge(a, b), merge(c, d)));
    }

