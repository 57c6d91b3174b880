            if (g + ${k}u > j && g + ${k}u < width) {
                let value = x${k} - factor * top[g + ${k}u];
                out0[(start + g + ${k}u) * n + r] = value;
                if (g + ${k}u == j + 1u && abs(value) > best) { best = abs(value); place = r; }
            }
