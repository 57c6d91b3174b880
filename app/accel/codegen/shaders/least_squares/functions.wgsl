var<private> x: array<${t}, ${wide}>;
${declared}
// Cosine, sine and length of what turns (a, b) into (length, 0).
fn rotation(a: ${t}, b: ${t}) -> array<${t}, 3> {
    let most = max(abs(a), abs(b));
    let c = a / most; let s = b / most;
    let length = sqrt(fma(c, c, s * s));
    return array<${t}, 3>(c / length, s / length, most * length);
}
// Takes a row of the matrix and its right sides into R.
fn fold() {
${rotations}
}
fn keep(at: u32) {
${kept}
}
fn fold_kept(at: u32) {
    for (var r = 0u; r < ${columns}u; r = r + 1u) {
        for (var c = 0u; c < ${wide}u; c = c + 1u) { x[c] = held[at + r * ${wide}u + c]; }
        fold();
    }
}
