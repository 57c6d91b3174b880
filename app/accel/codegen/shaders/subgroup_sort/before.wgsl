// The sum of the lanes before, over the workgroup.
fn before(value: u32, band: u32, slot: u32, slots: u32) -> u32 {
    let inside = subgroupExclusiveAdd(value);
    workgroupBarrier();
    if (slot == slots - 1u) { band_sums[band] = inside + value; }
    workgroupBarrier();
    var sum = inside;
    for (var k = 0u; k < band; k = k + 1u) { sum = sum + band_sums[k]; }
    return sum;
}

