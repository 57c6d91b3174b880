fn mul_${n}(a: ${r}, b: ${r}) -> ${r} {
    return select(a * b, ${high}, high_${r}(a, b) != ${zero});
}
