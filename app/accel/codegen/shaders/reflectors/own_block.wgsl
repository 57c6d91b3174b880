fn c(r: u32, j: u32) -> ${t} {
    return select(out0[(p[1].y + j) * p[2].x + r], v(r, j), j < p[1].x);
}

