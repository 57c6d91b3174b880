function r = small_dijkstra()
n = 60; W = mod(reshape((1:n*n)*7919, n, n), 97) + 1; d = inf(1, n); d(1) = 0; done = false(1, n);
for k = 1:n
e = d; e(done) = Inf; [m, u] = min(e); done(u) = true;
for v = 1:n, if ~done(v) && m + W(u,v) < d(v), d(v) = m + W(u,v); end, end
end
r = sum(d);
end
