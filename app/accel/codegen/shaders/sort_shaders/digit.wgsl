fn digit(half: u32, i: u32) -> u32 {
    let shift = p[0].w;
    if (shift >= ${line}u) {
        let at = taken(half, ${index}u, i);
        let inner = p[2].x;
        return ((at % inner + at / (inner * p[2].y) * inner) >> (shift - ${line}u)) & ${mask}u;
    }
    return (taken(half, shift / 32u, i) >> (shift % 32u)) & ${mask}u;
}

