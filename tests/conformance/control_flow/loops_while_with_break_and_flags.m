k = 0; found = false; while ~found, k = k + 1; if k ^ 2 > 50, found = true; end, end, disp(k); while true, k = k - 1; if k < 3, break; end, end, disp(k);
