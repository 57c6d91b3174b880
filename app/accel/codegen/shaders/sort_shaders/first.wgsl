fn taken(half: u32, word: u32, i: u32) -> u32 {
    if (word == ${index}u) { return i; }
${key}
    return ${chosen};
}

