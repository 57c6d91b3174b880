    let tiles = (p[1].z + ${tile}u - 1u) / ${tile}u;
    let there = (number % tiles) * ${tile}u; let piece = number / tiles;
    if (piece >= p[1].w) { return; }
    let x = lane % 8u; let y = lane / 8u;
    let begin = p[0].w + piece * per(); let end = min(begin + per(), p[2].x);
${sums}
    for (var first = begin; first < end; first = first + ${depth}u) {
${fetched}
        workgroupBarrier();
        for (var l = 0u; l < ${depth}u; l = l + 1u) {
            let a = tile_v[l * ${wide_v}u + x]; let b = tile_c[l * ${wide_c}u + y];
${products}
        }
        workgroupBarrier();
    }
${stores}
}
