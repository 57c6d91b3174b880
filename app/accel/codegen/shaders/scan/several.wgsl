    for (; r + 3u < end; r = r + 4u) {
        let a = element(j, r); let b = element(j, r + 1u);
        let c = element(j, r + 2u); let d = element(j, r + 3u);
${merged}
    }
