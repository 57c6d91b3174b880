fn rem_${n}(a: ${r}, b: ${r}) -> ${r} {
    if (b == ${zero}${trap}) { return ${zero}; }
    return a - (a / b) * b;
}
fn mod_${n}(a: ${r}, b: ${r}) -> ${r} {
    if (b == ${zero}) { return a; }
    let m = rem_${n}(a, b);
    return select(m, m + b, m != ${zero} && (m ^ b) < ${zero});
}
