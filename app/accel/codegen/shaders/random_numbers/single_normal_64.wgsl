fn normal_f64(key: u64, e: u64) -> f64 {
    let u = uniform_pair_f64(key, e);
    return ${pair}(u.x, u.y)[u32(e & 1lu)];
}
