    let key = number * ${size}u + lane;
    if (key >= p[1].x) { return; }
${walk}
    if (place != 0xffffffffu) {
${store}
    } else {
${nothing}
    }
}
