fn ${name}(x: ${f}) -> ${r} {
    let y = ${rounded};
    if (${nan}) { return ${zero}; }
    if (y <= ${f}(${low_f})) { return ${low}; }
    if (y >= ${f}(${high_f})) { return ${high}; }
    return ${r}(y);
}
