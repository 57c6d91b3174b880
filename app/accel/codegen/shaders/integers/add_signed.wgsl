fn add_${n}(a: ${r}, b: ${r}) -> ${r} {
    let s = a + b;
    return select(s, select(${high}, ${low}, a < ${zero}), ((a ^ s) & (b ^ s)) < ${zero});
}
fn sub_${n}(a: ${r}, b: ${r}) -> ${r} {
    let s = a - b;
    return select(s, select(${high}, ${low}, a < ${zero}), ((a ^ b) & (a ^ s)) < ${zero});
}
