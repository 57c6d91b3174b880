function r = small_linked_list()
v = zeros(1, 500); n = zeros(1, 500); h = 0; for k = 1:500, v(k) = mod(k*7, 101); n(k) = h; h = k; end
r = 0; p = h; i = 1; while p > 0, r = r + v(p)*i; p = n(p); i = i + 1; end
end
