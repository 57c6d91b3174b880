fn cpower_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    let whole = b.y == ${t}() && b.x == floor(b.x) && abs(b.x) < ${t}(100);
    if (whole && !(a.x == ${t}() && a.y == ${t}())) {
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
    if (a.x == ${t}() && a.y == ${t}() && b.y == ${t}()) {
        return vec2<${t}>(${power}(${t}(), b.x), ${t}());
    }
    return cexp_${t}(cmul_${t}(b, clog_${t}(a)));
}
