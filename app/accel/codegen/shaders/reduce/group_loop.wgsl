    var q = piece * (${per}) + lane;
    let last = ${end};
    for (; q + ${three}u < last; q = q + ${four}u) {
        let a = ${call}(j, q); let b = ${call}(j, q + ${size}u);
        let c = ${call}(j, q + ${two}u); let d = ${call}(j, q + ${three}u);
        total = merge(total, merge(merge(a, b), merge(c, d)));
    }
    for (; q < last; q = q + ${size}u) { total = merge(total, ${call}(j, q)); }
