// The transform of real numbers from that of pairs of neighbours: `a` at a frequency, `b` at the
// opposite one.
fn joined(a: ${c}, b: ${c}, root: ${c}) -> ${c} {
    let odd = turned(${c}((a.x - b.x) / ${t}(2u), (a.y + b.y) / ${t}(2u)), root);
    let even = mirrored(a, b);
    return ${c}(even.x + odd.y, even.y - odd.x);
}

