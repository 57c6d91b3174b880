fn v(r: u32, i: u32) -> ${t} {
    let top = p[0].w + i;
    let below = select(${t}(), ${matrix}[top * p[2].x + r], r > top && r < p[2].x);
    return select(${t}(), select(below, ${t}(1.0), r == top), i < p[1].x);
}
fn per() -> u32 { return (p[2].x - p[0].w + p[1].w - 1u) / p[1].w; }

