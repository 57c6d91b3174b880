fn word(w: u32) -> u32 {
    let bits = MASK[w] & 0x01010101u;
    let left = total() - min(4u * w, total());
    return select(bits & ((1u << (8u * (left & 3u))) - 1u), bits, left >= 4u);
}
fn held(w: u32) -> u32 {
    if (4u * w >= total()) { return 0u; }
    return word(w);
}

