    if (number > 0u) { return; }
    let n = p[2].x; let start = p[0].w; let width = p[1].x;
    var best = ${t}(-1.0); var place = start;
    for (var r = start + lane; r < n; r = r + ${size}u) {
        let value = abs(out0[start * n + r]);
        if (value > best) { best = value; place = r; }
    }
    for (var j = 0u; j < width; j = j + 1u) {
        let column = (start + j) * n; let c = start + j; let g = j / ${group}u * ${group}u;
        sizes[lane] = best; places[lane] = place;
        workgroupBarrier();
        for (var s = ${half}u; s > 0u; s = s >> 1u) {
            if (lane < s) {
                let other = sizes[lane + s];
                let further = places[lane + s];
                if (other > sizes[lane] || (other == sizes[lane] && further < places[lane])) {
                    sizes[lane] = other; places[lane] = further;
                }
            }
            workgroupBarrier();
        }
        let pivot = places[0];
        if (lane < width) {
            let at = (start + lane) * n;
            let old = out0[at + c]; let new_ = out0[at + pivot];
            out0[at + c] = new_; out0[at + pivot] = old;
            top[lane] = new_;
        }
        if (lane == ${block}u) {
            scratch[c] = pivot;
            let old = out1[c]; out1[c] = out1[pivot]; out1[pivot] = old;
        }
        storageBarrier();
        workgroupBarrier();
        let divisor = select(top[j], ${t}(1.0), top[j] == ${t}());
        best = ${t}(-1.0); place = c + 1u;
        for (var r = c + 1u + lane; r < n; r = r + ${size}u) {
            let pivoted = out0[column + r];
${loads}
            let factor = pivoted / divisor;
            out0[column + r] = factor;
${stores}
        }
        storageBarrier();
        workgroupBarrier();
        let next = g + ${group}u;
        if (j + 1u != next || next >= width) { continue; }
        if (lane >= next && lane < width) {
            let at = (start + lane) * n + start + g; let own = (start + g) * n + start + g;
${solved}
        }
        storageBarrier();
        workgroupBarrier();
        for (var r = c + 1u + lane; r < n; r = r + ${size}u) {
            let own = (start + g) * n + r;
${factors}
            for (var k = next; k < width; k = k + ${group}u) {
${others}
${products}
            }
        }
        storageBarrier();
        workgroupBarrier();
    }
}
