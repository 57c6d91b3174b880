                if (k + ${k}u < width) {
                    let value = x${k} - (${sum});
                    out0[(start + k + ${k}u) * n + r] = value;
                    if (k + ${k}u == next && abs(value) > best) { best = abs(value); place = r; }
                }
