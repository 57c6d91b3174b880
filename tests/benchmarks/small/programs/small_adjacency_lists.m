function r = small_adjacency_lists()
n = 60; adj = cell(1, n); for k = 1:n, adj{k} = unique([mod(k*3, n)+1, mod(k*7, n)+1, mod(k+1, n)+1]); end
dist = inf(1, n); dist(1) = 0; queue = 1; head = 1;
while head <= numel(queue)
    v = queue(head); head = head + 1;
    for w = adj{v}, if isinf(dist(w)), dist(w) = dist(v) + 1; queue(end+1) = w; end, end
end
r = sum(dist);
end
