    let i = number * ${size}u + lane;
    if (i >= total()) { return; }
    let key = key_of_query(i);
    var low = 0u; var high = p[1].x;
    while (low < high) {
        let middle = (low + high) / 2u;
        let other = key_of_line(middle);
        if (other.x < key.x || (other.x == key.x && other.y ${compared} key.y)) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    out0[i] = f64(low);
}
