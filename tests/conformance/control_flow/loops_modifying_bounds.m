n = 3; for k = 1:n, n = 10; end, disp(k); v = 1:3; for x = v, v = [v x]; end, disp(numel(v)); s = 0; for k = 10:-3:1, s = s + k; end, disp(s);
