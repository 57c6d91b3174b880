fn i64_of_i32(a: i32) -> i64 {
    let low = u64(bitcast<u32>(a));
    return bitcast<i64>(low | (u64(bitcast<u32>(a >> 31u)) << 32u));
}
