fn mul_${n}(a: ${r}, b: ${r}) -> ${r} {
    let negative = (a ^ b) < ${zero};
    let x = select(bitcast<${u}>(a), ${uz} - bitcast<${u}>(a), a < ${zero});
    let y = select(bitcast<${u}>(b), ${uz} - bitcast<${u}>(b), b < ${zero});
    let p = x * y;
    let limit = bitcast<${u}>(${high}) + select(${uz}, ${uz} + ${uone}, negative);
    let size = select(p, limit, high_${u}(x, y) != ${uz} || p > limit);
    return bitcast<${r}>(select(size, ${uz} - size, negative));
}
