// What the transform of pairs of neighbours is, by what that of real numbers has at a frequency and
// at the opposite one.
fn opened(place: u32) -> ${c} {
    let half = p[2].y / 2u;
    let k = place % half; let line = (place - k) * 2u;
    let a = in0[line + k]; let b = in0[line + half - k];
    let even = ${c}((a.x + b.x) / ${t}(2u), (a.y - b.y) / ${t}(2u));
    let odd = turned(${c}((a.x - b.x) / ${t}(2u), (a.y + b.y) / ${t}(2u)), in1[k]);
    return ${c}(even.x - odd.y, even.y + odd.x);
}

