    let keys = p[1].x; let column = number / p[1].z; let part = number % p[1].z;
    if (column >= ${columns}u) { return; }
    for (var k = lane; k < keys * ${size}u; k = k + ${size}u) { parts[k] = ${zero}; }
    let apart = ${size}u * p[1].z;
    var i = part * ${size}u + lane;
    for (; i + 3u * apart < total(); i = i + 4u * apart) {
        let a = value_at(column, i); let b = value_at(column, i + apart);
        let c = value_at(column, i + 2u * apart); let d = value_at(column, i + 3u * apart);
        let j = key_at(i); let k = key_at(i + apart);
        let l = key_at(i + 2u * apart); let m = key_at(i + 3u * apart);
        add(j, a, keys, lane); add(k, b, keys, lane);
        add(l, c, keys, lane); add(m, d, keys, lane);
    }
    for (; i < total(); i = i + apart) { add(key_at(i), value_at(column, i), keys, lane); }
    workgroupBarrier();
    for (var k = lane; k < keys; k = k + ${size}u) {
        var sum = ${zero};
        for (var j = 0u; j < ${size}u; j = j + 1u) {
            sum = sum + parts[k * ${size}u + ((j + lane) & ${last}u)];
        }
        scratch[number * keys + k] = sum;
    }
}
