    let inner = p[2].x; let n = p[2].y / ${each}u; let before = p[0].w;
    let part = n / ${radix}u; let points = total() / ${each}u / ${radix}u;
${text}
}
