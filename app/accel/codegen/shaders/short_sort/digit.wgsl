fn digit(${words}, place: u32, shift: u32) -> u32 {
    if (shift >= ${bits}u) { return ((place / p[2].y) >> (shift - ${bits}u)) & 15u; }
    return (${word} >> (shift % 32u)) & 15u;
}
