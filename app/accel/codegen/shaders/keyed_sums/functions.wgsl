var<workgroup> parts: array<${number}, ${places}>;
fn key_at(i: u32) -> u32 { return bitcast<u32>(in0[i]) - 1u; }
fn value_at(column: u32, i: u32) -> ${number} {
    switch column {
${values}
    }
}
fn add(key: u32, value: ${number}, keys: u32, lane: u32) {
    if (key < keys) {
        let at = key * ${lanes}u + lane;
        parts[at] = parts[at] + value;
    }
}

