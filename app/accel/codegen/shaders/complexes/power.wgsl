// To a real power: real numbers that have one have real ones, whole ones are products, others are
// turned; an exponential of a logarithm would lose digits with the size.
fn cpower_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    if (b.y == ${t}()) {
        let whole = b.x == floor(b.x);
        let real = a.y == ${t}();
        if (real && (whole || a.x >= ${t}() || ${isnan}(a.x) || ${isnan}(b.x))) {
            return vec2<${t}>(${power}(a.x, b.x), ${t}());
        }
        if (whole && abs(b.x) < ${t}(100)) {
            var left = u32(abs(b.x));
            var square = a;
            var found = vec2<${t}>(${t}(1), ${t}());
            for (; left > 1u; left = left >> 1u) {
                if ((left & 1u) == 1u) { found = cmul_${t}(found, square); }
                square = cmul_${t}(square, square);
            }
            if (left == 1u) { found = cmul_${t}(found, square); }
            if (b.x < ${t}()) { return cdiv_${t}(vec2<${t}>(${t}(1), ${t}()), found); }
            return found;
        }
        let length = ${hypot}(a.x, a.y);
        if (!${isinf}(length) || ${isinf}(a.x) || ${isinf}(a.y)) {  // else it went beyond the largest
            let size = ${power}(length, b.x);
            let turns = select(b.x, b.x - ${t}(2) * ${trunc}(b.x * ${t}(0.5)), real);
            let angle = mul_${t}(${atan2}(a.y, a.x), turns);
            return vec2<${t}>(mul_${t}(size, ${cos}(angle)), mul_${t}(size, ${sin}(angle)));
        }
    }
    return cexp_${t}(cmul_${t}(b, clog_${t}(a)));
}
