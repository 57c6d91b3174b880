// What was computed before is hidden: compilers take it for finite.
fn clog_${t}(given: vec2<${t}>) -> vec2<${t}> {
    let a = vec2<${t}>(hidden_${t}(given.x), hidden_${t}(given.y));
    let size = ${hypot}(a.x, a.y);
    let angle = ${atan2}(a.y, a.x);
    if (size > ${t}(0.5) && size < ${t}(2)) {  // where log(size) would cancel
        let m = max(abs(a.x), abs(a.y));
        let n = min(abs(a.x), abs(a.y));
        let rest = add_${t}(mul_${t}(m - ${t}(1), m + ${t}(1)), mul_${t}(n, n));
        return vec2<${t}>(${t}(0.5) * ${log1p}(rest), angle);
    }
    let scale = cscale_${t}(a);
    return vec2<${t}>(add_${t}(${log}(${hypot}(a.x * scale, a.y * scale)), -${log}(scale)), angle);
}
