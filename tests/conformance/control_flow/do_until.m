k = 0; do, k++; until k >= 3
disp(k); k += 5; disp(k); k -= 2; disp(k); k *= 3; disp(k); k /= 2; disp(k); k ^= 2; disp(k); k--; disp(k);
