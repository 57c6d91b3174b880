fn place(half: u32, word: u32, i: u32) -> u32 { return (half * ${words}u + word) * total() + i; }
fn counts(digit: u32, tile: u32) -> u32 {
    return ${all}u * total() + digit * p[1].x + tile;
}
fn sums(digit: u32) -> u32 { return ${all}u * total() + ${digits}u * p[1].x + digit; }
