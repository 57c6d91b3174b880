// The least distance of these points.
//include closest
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = id.x + id.y * groups.x * 256u;
    if (k >= spot.total) { return; }
    let bits = gap_bits(k);
    if (bits < atomicLoad(&found[2u * spot.part])) { atomicMin(&found[2u * spot.part], bits); }
}
