    let point = number * {size}u + lane;
    let n = p[2].y; let half = n / 2u;
    if (point >= total() / n * (half + 1u)) {{ return; }}
    let k = point % (half + 1u); let line = point / (half + 1u);
    let a = scratch[line * half + k % half]; let b = scratch[line * half + (half - k) % half];
    let value = joined(a, b, in1[k]);
    out0[line * n + k] = value;
    if (k != 0u && k != half) {{ out0[line * n + n - k] = ${c}(value.x, -value.y); }}
}}
