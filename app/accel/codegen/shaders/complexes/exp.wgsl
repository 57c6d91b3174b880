// What was computed before is hidden: compilers take it for finite.
fn cexp_${t}(given: vec2<${t}>) -> vec2<${t}> {
    let a = vec2<${t}>(hidden_${t}(given.x), hidden_${t}(given.y));
    let size = hidden_${t}(${exp}(a.x));
    if (a.y == ${t}()) { return vec2<${t}>(size, a.y); }
    if (${isinf}(a.x) && !${isfinite}(a.y)) {
        if (a.x < ${t}()) { return vec2<${t}>(size, size); }
        return vec2<${t}>(size, ${sin}(a.y));
    }
    if (${isinf}(size) && ${isfinite}(a.x)) {  // a small cosine or sine may bring it back
        let root = ${exp}(mul_${t}(a.x, ${t}(0.5)));
        return vec2<${t}>(mul_${t}(mul_${t}(root, ${cos}(a.y)), root),
                         mul_${t}(mul_${t}(root, ${sin}(a.y)), root));
    }
    return vec2<${t}>(mul_${t}(size, ${cos}(a.y)), mul_${t}(size, ${sin}(a.y)));
}
