// A product in which no imaginary part that is 0 takes part: Inf times a real number stays Inf.
fn ctimes_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    let mine = a.y == ${t}();
    let other = b.y == ${t}();
    let squares = select(mul_${t}(a.y, b.y), ${t}(), mine || other);
    return vec2<${t}>(add_${t}(mul_${t}(a.x, b.x), -squares),
                     add_${t}(select(mul_${t}(a.x, b.y), ${t}(), other),
                             select(mul_${t}(a.y, b.x), ${t}(), mine)));
}
// To a real power: real numbers that have one have real ones, whole ones are products, others are
// turned; an exponential of a logarithm would lose digits with the size.
fn cpower_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    if (b.y == ${t}()) {
        let whole = b.x == floor(b.x);
        let product = whole && abs(b.x) < ${t}(100);
        let short = b.x == ${t}(2) || b.x == ${t}(3);
        let real = a.y == ${t}() && !short;
        if (real && (whole || a.x >= ${t}() || ${isnan}(a.x) || ${isnan}(b.x))) {
            return vec2<${t}>(${power}(a.x, b.x), ${t}());
        }
        if (product) {
            var left = u32(abs(b.x));
            var square = a;
            var found = vec2<${t}>(${t}(1), ${t}());
            var first = true;
            for (; left > 0u; left = left >> 1u) {
                if ((left & 1u) == 1u) {
                    if (first) { found = square; } else { found = cmul_${t}(found, square); }
                    first = false;
                }
                if (left > 1u) { square = cmul_${t}(square, square); }
            }
            if (b.x < ${t}()) { return cdiv_${t}(vec2<${t}>(${t}(1), ${t}()), found); }
            return found;
        }
        let length = ${hypot}(a.x, a.y);
        if (!${isinf}(length) || ${isinf}(a.x) || ${isinf}(a.y)) {  // else it went beyond the largest
            var size = hidden_${t}(${power}(length, b.x));
            if (length == ${t}(1)) {  // where the length was rounded, its logarithm was not
                let rate = clog_${t}(a).x;
                if (rate != ${t}()) { size = hidden_${t}(${exp}(mul_${t}(b.x, rate))); }
            }
            if (size == ${t}()) { return vec2<${t}>(size, ${t}()); }
            let turns = select(b.x, b.x - ${t}(2) * ${trunc}(b.x * ${t}(0.5)), real);
            let angle = mul_${t}(${atan2}(a.y, a.x), turns);
            return vec2<${t}>(mul_${t}(size, ${cos}(angle)), mul_${t}(size, ${sin}(angle)));
        }
    }
    return cexp_${t}(ctimes_${t}(b, clog_${t}(a)));
}
