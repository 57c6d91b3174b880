// The lanes whose digit is the same.
fn alike(digit: u32, counts: bool) -> vec4<u32> {
    var lanes = subgroupBallot(counts);
${votes}
    return lanes;
}
fn counted(lanes: vec4<u32>) -> u32 {
    let ones = countOneBits(lanes);
    return ones.x + ones.y + ones.z + ones.w;
}
fn below(slot: u32) -> vec4<u32> {
    let more = vec4<u32>(slot) - min(vec4<u32>(slot), vec4<u32>(0u, 32u, 64u, 96u));
    let part = (vec4<u32>(1u) << (more & vec4<u32>(31u))) - vec4<u32>(1u);
    return select(part, vec4<u32>(0xffffffffu), more >= vec4<u32>(32u));
}
fn lowest(lanes: vec4<u32>) -> u32 {
    if (lanes.x != 0u) { return countTrailingZeros(lanes.x); }
    if (lanes.y != 0u) { return 32u + countTrailingZeros(lanes.y); }
    if (lanes.z != 0u) { return 64u + countTrailingZeros(lanes.z); }
    return 96u + countTrailingZeros(lanes.w);
}

