fn turned(a: ${c}, w: ${c}) -> ${c} {
    return ${c}(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x);
}
fn root(k: u32) -> ${c} { return in1[k * ${each}u]; }

