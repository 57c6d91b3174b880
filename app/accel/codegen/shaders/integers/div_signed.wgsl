fn div_${n}(a: ${r}, b: ${r}) -> ${r} {
    if (b == ${zero}) { return select(select(${high}, ${low}, a < ${zero}), ${zero}, a == ${zero}); }
    let negative = (a ^ b) < ${zero};
    let x = select(bitcast<${u}>(a), ${uz} - bitcast<${u}>(a), a < ${zero});
    let y = select(bitcast<${u}>(b), ${uz} - bitcast<${u}>(b), b < ${zero});
    var q = x / y;
    let rest = x - q * y;
    q = select(q, q + ${uone}, rest >= y - rest);
    let limit = bitcast<${u}>(${high}) + select(${uz}, ${uone}, negative);
    q = min(q, limit);
    return bitcast<${r}>(select(q, ${uz} - q, negative));
}
