function r = small_breadth_first_search()
n = 80; G = mod(reshape((1:n*n)*7919, n, n), 23) == 0; d = -ones(1, n); d(1) = 0; q = 1; while ~isempty(q), u = q(1); q(1) = []; v = find(G(u,:) & d < 0); d(v) = d(u) + 1; q = [q v]; end
r = sum(d);
end
