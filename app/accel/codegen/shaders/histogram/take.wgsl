// The bin is guessed as if all were equally wide, and searched where that is wrong.
fn take(bits: ${raw}, mine: u32, count: u32, scale: f32) {
    if (${missing}) { return; }
    let value = ${value};
    if (value < limits[0] || value > limits[count]) { return; }
    var low = min(u32(clamp(f32(value - limits[0]) * scale, 0.0, 65536.0)), count - 1u);
    if (value < limits[low] || (value >= limits[low + 1u] && low + 1u < count)) {
        low = 0u; var high = count;
        while (high - low > 1u) {
            let middle = (low + high) / 2u;
            if (value < limits[middle]) { high = middle; } else { low = middle; }
        }
    }
    atomicAdd(&bins[mine + low], 1u);
}

