fn div_${n}(a: ${r}, b: ${r}) -> ${r} {
    if (b == ${zero}) { return select(${high}, ${zero}, a == ${zero}); }
    let q = a / b;
    let rest = a - q * b;
    return select(q, q + ${one}, rest >= b - rest);
}
