    if (number >= p[1].x) { return; }
    let key = number;
${walk}
    ranks[lane] = best; places[lane] = place;
    workgroupBarrier();
    for (var s = ${size}u / 2u; s > 0u; s = s / 2u) {
        if (lane < s && exceeds(ranks[lane + s], places[lane + s], ranks[lane], places[lane])) {
            ranks[lane] = ranks[lane + s]; places[lane] = places[lane + s];
        }
        workgroupBarrier();
    }
    place = places[0];
    if (lane == 0u && place != 0xffffffffu) {
${store}
    }
    if (lane == 0u && place == 0xffffffffu) {
${nothing}
    }
}
