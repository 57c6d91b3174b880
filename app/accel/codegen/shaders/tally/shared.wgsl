var<workgroup> bins: array<atomic<u32>, ${most}>;
// One more of a key from 0, in the copy of this lane; copies of a key lie beside each other, in
// different banks.
fn count_one(key: u32, lane: u32) {
    if (key < p[1].x) { atomicAdd(&bins[key * p[1].y + lane % p[1].y], 1u); }
}

