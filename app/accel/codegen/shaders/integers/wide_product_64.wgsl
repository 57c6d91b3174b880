fn high_u64(a: u64, b: u64) -> u64 {
    let al = a & 0xfffffffflu; let ah = a >> 32u; let bl = b & 0xfffffffflu; let bh = b >> 32u;
    let low = al * bl; let mid = ah * bl + (low >> 32u);
    let cross = al * bh + (mid & 0xfffffffflu);
    return ah * bh + (mid >> 32u) + (cross >> 32u);
}
