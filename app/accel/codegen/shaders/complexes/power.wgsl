fn cpower_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    if (a.y == ${t}() && b.y == ${t}()) {
        if (a.x >= ${t}() || b.x == floor(b.x)) {
            return vec2<${t}>(${power}(a.x, b.x), ${t}());
        }
        let size = ${power}(abs(a.x), b.x);
        let angle = mul_${t}(${atan2}(a.y, a.x), b.x - ${t}(2) * trunc(b.x * ${t}(0.5)));
        return vec2<${t}>(mul_${t}(size, ${cos}(angle)), mul_${t}(size, ${sin}(angle)));
    }
    let whole = b.y == ${t}() && b.x == floor(b.x) && abs(b.x) < ${t}(100);
    if (whole) {
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
    return cexp_${t}(cmul_${t}(b, clog_${t}(a)));
}
