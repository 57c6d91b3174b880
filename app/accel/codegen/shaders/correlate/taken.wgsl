    let m = p[2].x; let n = p[2].y; let rows = p[1].x;
    let above = i32(p[0].w & 0xffffu); let left = i32(p[0].w >> 16u);
    let height = p[1].z; let width = p[1].w; let columns = p[1].y;
    let tiles = (rows + ${tall}u - 1u) / ${tall}u;
    let here = (number % tiles) * ${tall}u; let there = (number / tiles) * ${broad}u;
    if (there >= columns) { return; }
    let x = lane % ${lanes}u; let y = lane / ${lanes}u;
${sums}
    for (var b = 0u; b < width; b = b + ${part_width}u) {
        for (var a = 0u; a < height; a = a + ${part_height}u) {
            let tall = min(${part_height}u, height - a); let broad = min(${part_width}u, width - b);
            for (var e = lane; e < ${held}u; e = e + ${size}u) {
                let i = i32(here + a + e % ${stride}u) - above;
                let j = i32(there + b + e / ${stride}u) - left;
                var value = ${t}();
                if (i >= 0 && j >= 0 && i < i32(m) && j < i32(n)) {
                    value = in0[u32(j) * m + u32(i)];
                }
                held[e] = value;
            }
            for (var e = lane; e < tall * broad; e = e + ${size}u) {
                weights[e] = in1[(b + e / tall) * height + a + e % tall];
            }
            workgroupBarrier();
            for (var d = 0u; d < broad; d = d + 1u) {
                for (var c = 0u; c < tall; c = c + 1u) {
                    let weight = weights[d * tall + c];
                    let at = (y + d) * ${stride}u + x + c;
${products}
                }
            }
            workgroupBarrier();
        }
    }
${stores}
}
