// Places in workgroup memory: every 17th is left out, so that neighbours lie in different banks.
fn pad(i: u32) -> u32 { return i + (i >> 4u); }
// Whether element `i` of a workgroup's lines, each of which has a power of two, is one.
fn is_element(i: u32, here: u32) -> bool {
    return (i >> p[1].y) < here && (i & ((1u << p[1].y) - 1u)) < p[2].y;
}
// Where it lies in memory; `line` is the workgroup's first.
fn source(line: u32, i: u32) -> u32 {
    let inner = p[2].x; let n = p[2].y;
    let number = line + (i >> p[1].y); let place = i & ((1u << p[1].y) - 1u);
    return number % inner + number / inner * inner * n + place * inner;
}
// Every other run of a doubling falls, which its complement does not.
fn complement(doubling: u32, lane: u32) -> u32 {
    return select(0u, 0xffffffffu, doubling < p[1].y && (((lane << 4u) >> doubling) & 1u) == 1u);
}
