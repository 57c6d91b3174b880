fn high_u32(a: u32, b: u32) -> u32 {
    let al = a & 0xffffu; let ah = a >> 16u; let bl = b & 0xffffu; let bh = b >> 16u;
    let low = al * bl; let mid = ah * bl + (low >> 16u); let cross = al * bh + (mid & 0xffffu);
    return ah * bh + (mid >> 16u) + (cross >> 16u);
}
