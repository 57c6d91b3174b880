x = 5; x++; disp(x); x += 2; disp(x); x -= 1; x *= 3; x /= 2; disp(x); x ^= 2; disp(x); b = true; b |= false; disp(b);
