fn cmul_${t}(a: vec2<${t}>, b: vec2<${t}>) -> vec2<${t}> {
    return vec2<${t}>(add_${t}(mul_${t}(a.x, b.x), -mul_${t}(a.y, b.y)),
                     add_${t}(mul_${t}(a.x, b.y), mul_${t}(a.y, b.x)));
}
// Whether what is computed of a number would lose bits, or be flushed to zero.
fn clittle_${t}(a: vec2<${t}>) -> bool { return max(abs(a.x), abs(a.y)) < ${t}(${tiny}); }
// Whether the quotient r of other and p is no zero, and was flushed to one.
fn cflushed_${t}(r: ${t}, other: ${t}, p: ${t}) -> bool { return ${flushed}; }
// What is v * (other / p), where that quotient is r: infinite times what was flushed is no number.
fn cshare_${t}(v: ${t}, r: ${t}, other: ${t}, p: ${t}, flushed: bool) -> ${t} { return ${share}; }
// Smith (1962): scale by the larger part of the divisor. It is hidden: of a number over itself both
// sums are the same, and compilers would make one of them, whatever they are. Parts are chosen, not
// branches: an H200 took the wrong one. Little numbers are scaled.
fn cdiv_${t}(number: vec2<${t}>, divisor: vec2<${t}>) -> vec2<${t}> {
    let little = clittle_${t}(divisor);
    let few = clittle_${t}(number);
    let a = number * select(${t}(1), ${t}(${up}), few);
    let b = divisor * select(${t}(1), ${t}(${up}), little);
    let wide = abs(b.x) >= abs(b.y);
    let none = b.x == ${t}() && b.y == ${t}();
    let p = select(b.y, b.x, wide);
    let other = select(b.x, b.y, wide);
    let r = div_${t}(other, p);
    let d = hidden_${t}(add_${t}(p, mul_${t}(other, r)));
    let u = select(a.y, a.x, wide);
    let v = select(a.x, a.y, wide);
    let flushed = cflushed_${t}(r, other, p);
    let w = cshare_${t}(u, r, other, p, flushed);
    let real = add_${t}(u, cshare_${t}(v, r, other, p, flushed));
    let imag = add_${t}(select(w, v, wide), select(-v, -w, wide));
    let over = select(d, abs(b.x), none);
    let back = select(${t}(1), select(${t}(${up}), ${t}(${down}), few), few != little);
    return vec2<${t}>(mul_${t}(div_${t}(select(real, a.x, none), over), back),
                     mul_${t}(div_${t}(select(imag, a.y, none), over), back));
}
