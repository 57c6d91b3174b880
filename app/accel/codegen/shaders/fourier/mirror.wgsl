    let point = number * {size}u + lane;
    let inner = p[2].x; let n = p[2].y; let half = n / 2u + 1u;
    if (point >= total() / n * half) {{ return; }}
    let rest = point / inner;
    let k = rest % half;
    let line = (rest / half) * n * inner + point % inner;
    let here = line + k * inner; let there = line + ((n - k) % n) * inner;
    let a = out0[here]; let b = out0[there];
    let mean = mirrored(a, b);
    out0[here] = mean;
    if (here != there) {{ out0[there] = ${c}(mean.x, -mean.y); }}
}}
