@compute @workgroup_size(${size})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        ${lane}
    set_zero(p[0].x);
    let kept = p[1].y; let reduced = p[1].z;
    let row = ${row}; let place = ${place};
    let slot = row * ${team}u + place;
    let j = (group.x + group.y * groups.x) * ${rows}u + row;
    let last = select(0u, reduced, j < kept);
