    if (number >= p[1].x) { return; }
    let from_ = p[1].y;
    let first = number * ${tile}u;
    let mine = first + band * slots * ${own}u + slot;
    for (var k = lane; k < ${counters}u; k = k + ${size}u) { atomicStore(&counters[k], 0u); }
    let low = below(slot);
    workgroupBarrier();
${ranks}
    workgroupBarrier();
    if (lane < ${half}u) {
        var sum = 0u;
        for (var k = 0u; k < ${size}u / slots; k = k + 1u) {
            let next = atomicLoad(&counters[k * ${half}u + lane]);
            atomicStore(&counters[k * ${half}u + lane], sum);
            sum = sum + next;
        }
        starts[lane] = sum;
    }
    workgroupBarrier();
    let own = (starts[lane % ${half}u] >> (lane / ${half}u * 16u)) & 0xffffu;
    let start = before(own, band, slot, slots);
    let at = scratch[counts(lane, number)] + before(scratch[sums(lane)], band, slot, slots);
    starts[lane] = start;
    base[lane] = at - start;
    workgroupBarrier();
${places}
    workgroupBarrier();
${targets}
    workgroupBarrier();
    let count = min(total() - first, ${tile}u);
${fetch}
${words}
}
