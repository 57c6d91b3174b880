// Places in workgroup memory: every 33rd is left out, so that neighbours lie in different banks.
fn pad(i: u32) -> u32 { return i + (i >> 5u); }
// Where element `i` of a workgroup's lines, the first of which is `line`, lies in memory.
fn source(line: u32, i: u32) -> u32 {
    let inner = p[2].x; let n = p[2].y;
    let number = line + i / n;
    return number % inner + number / inner * inner * n + i % n * inner;
}
