fn cmul_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    return vec2<${t}>(add_${t}(mul_${t}(a.x, b.x), -mul_${t}(a.y, b.y)),
                     add_${t}(mul_${t}(a.x, b.y), mul_${t}(a.y, b.x)));
}
// Smith (1962): scale by the larger part of the divisor. It is hidden: of a number over itself both
// sums are the same, and compilers would make one of them, whatever they are.
fn cdiv_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    if (abs(b.x) >= abs(b.y)) {
        if (b.x == ${t}() && b.y == ${t}()) { return vec2<${t}>(a.x / abs(b.x), a.y / abs(b.x)); }
        let r = div_${t}(b.y, b.x);
        let d = hidden_${t}(add_${t}(b.x, mul_${t}(b.y, r)));
        return vec2<${t}>(div_${t}(add_${t}(a.x, mul_${t}(a.y, r)), d),
                         div_${t}(add_${t}(a.y, -mul_${t}(a.x, r)), d));
    }
    let r = div_${t}(b.x, b.y);
    let d = hidden_${t}(add_${t}(mul_${t}(b.x, r), b.y));
    return vec2<${t}>(div_${t}(add_${t}(mul_${t}(a.x, r), a.y), d),
                     div_${t}(add_${t}(mul_${t}(a.y, r), -a.x), d));
}
