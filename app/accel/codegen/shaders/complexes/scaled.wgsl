fn cscale_${t}(a: vec2<${t}>) -> ${t} {
    let m = max(abs(a.x), abs(a.y));
    return select(select(${t}(1), ${t}(${up}), m < ${t}(${tiny})), ${t}(0.25), m > ${t}(${huge}));
}
