fn cless_${t}(a: vec2<${t}>, b: vec2<${t}>) -> bool {
    let m = ${hypot}(a.x, a.y);
    let n = ${hypot}(b.x, b.y);
    return m < n || (m == n && ${atan2}(a.y, a.x) < ${atan2}(b.y, b.x));
}
fn cnan_${t}(a: vec2<${t}>) -> bool { return ${isnan}(a.x) || ${isnan}(a.y); }
fn cmin_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    return select(a, b, (cless_${t}(b, a) || cnan_${t}(a)) && !cnan_${t}(b));
}
fn cmax_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    return select(a, b, (cless_${t}(a, b) || cnan_${t}(a)) && !cnan_${t}(b));
}
