function r = small_insertion_sort_list()
v = []; for k = 1:100, x = mod(k*61, 103); p = find(v > x, 1); if isempty(p), v = [v x]; else, v = [v(1:p-1) x v(p:end)]; end, end
r = sum(v .* (1:100));
end
