s = struct('a', {1, 2, 3});
s(2) = []; disp([s.a]);
s([]) = []; disp(numel(s));
