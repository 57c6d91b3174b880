// The lanes whose digit is the same.
fn alike(digit: u32, counts: bool) -> u32 {
    var lanes = subgroupBallot(counts).x;
${votes}
    return lanes;
}
fn counted(lanes: u32) -> u32 { return countOneBits(lanes); }
fn below(slot: u32) -> u32 { return (1u << slot) - 1u; }
fn lowest(lanes: u32) -> u32 { return countTrailingZeros(lanes); }

