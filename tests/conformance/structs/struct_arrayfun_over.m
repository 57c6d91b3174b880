s = struct('v', {1, 2, 3}); disp(arrayfun(@(e) e.v * 2, s));
t = arrayfun(@(k) struct('i', k), 1:3, 'UniformOutput', false); disp(t{3}.i);
