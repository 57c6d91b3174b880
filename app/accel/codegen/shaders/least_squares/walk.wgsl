    let rows = p[2].x;
    if (number >= p[0].w) { return; }
    for (var row = number * ${size}u + lane; row < rows; row = row + p[0].w * ${size}u) {
${fetched}
        fold();
    }
${tree}
    if (lane == 0u) {
        keep(0u);
        for (var e = 0u; e < ${columns}u * ${wide}u; e = e + 1u) {
            scratch[number * ${columns}u * ${wide}u + e] = held[e];
        }
    }
}
