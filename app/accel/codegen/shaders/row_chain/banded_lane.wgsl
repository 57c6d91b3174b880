@builtin(subgroup_invocation_id) lane_of_band: u32,
        @builtin(subgroup_size) lanes: u32, @builtin(subgroup_id) band: u32) {
    let lane = band * lanes + lane_of_band;
