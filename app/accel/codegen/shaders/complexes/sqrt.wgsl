// What was computed before is hidden: compilers take it for finite.
fn csqrt_${t}(given: vec2<${t}>) -> vec2<${t}> {
    let a = vec2<${t}>(hidden_${t}(given.x), hidden_${t}(given.y));
    if (a.x == ${t}() && a.y == ${t}()) { return vec2<${t}>(${t}(), a.y); }
    if (${isinf}(a.y)) { return vec2<${t}>(abs(a.y), a.y); }
    let scale = cscale_${t}(a);
    let x = abs(a.x) * scale;
    let scaled = sqrt(${t}(0.5) * add_${t}(${hypot}(x, a.y * scale), x));
    let back = ${t}(1) / sqrt(scale);
    let size = scaled * back;
    let other = (abs(a.y) * scale / (${t}(2) * scaled)) * back;
    let low = ${atan2}(a.y, -${t}(1)) < ${t}();  // the sign, of -0 too
    if (a.x >= ${t}()) { return vec2<${t}>(size, select(other, -other, low)); }
    return vec2<${t}>(other, select(size, -size, low));
}
