// The mean of what a frequency has and of the conjugate of what the opposite one has.
fn mirrored(a: ${c}, b: ${c}) -> ${c} {
    return ${c}((a.x + b.x) / ${t}(2u), (a.y - b.y) / ${t}(2u));
}

