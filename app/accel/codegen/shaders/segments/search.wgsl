// The first place whose key is not below `key`.
fn begin_of(key: i32) -> u32 {
    var low = 0u; var high = total();
    while (low < high) {
        let middle = (low + high) / 2u;
        if (in0[middle] < key) { low = middle + 1u; } else { high = middle; }
    }
    return low;
}

