struct Moments_${t} { mean: ${t}, low: ${t}, squares: ${t}, count: u32 }
// The mean has a second word: distances of data far from zero are small differences.
fn moments_${t}(a: Moments_${t}, b: Moments_${t}) -> Moments_${t} {
    if (a.count == 0u) { return b; }
    if (b.count == 0u) { return a; }
    let count = a.count + b.count;
    let away = add_${t}(add_${t}(b.mean, -a.mean), add_${t}(b.low, -a.low));
    let step = mul_${t}(away, ${t}(b.count) / ${t}(count));
    let mean = add_${t}(a.mean, step);
    let back = add_${t}(mean, -a.mean);
    let lost = add_${t}(add_${t}(a.mean, -add_${t}(mean, -back)), add_${t}(step, -back));
    let between = mul_${t}(mul_${t}(away, ${t}(a.count)), step);
    return Moments_${t}(mean, add_${t}(a.low, lost), add_${t}(add_${t}(a.squares, b.squares), between),
                       count);
}
