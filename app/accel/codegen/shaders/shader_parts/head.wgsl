fn total() -> u32 { return p[0].y; }
${functions}
@compute @workgroup_size(${size})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let number = group.x + group.y * groups.x;
