    let i = number * ${size}u + lane;
    if (i >= total()) { return; }
    let at = scratch[place(p[1].y, ${index}u, i)];
${key}
    let inner = p[2].x; let n = p[2].y;
    let line = i / n;
    let to = line % inner + (line / inner) * inner * n + (i % n) * inner;
${stores}
}
