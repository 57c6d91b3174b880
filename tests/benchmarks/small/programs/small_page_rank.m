function r = small_page_rank()
n = 12; L = zeros(n); for k = 1:n, L(mod(k*2, n)+1, k) = 1; L(mod(k*3, n)+1, k) = 1; L(mod(k+4, n)+1, k) = 1; end
M = L ./ sum(L, 1); x = ones(n, 1)/n; it = 0;
while true
    y = 0.85*M*x + 0.15/n; it = it + 1; if norm(y - x, 1) < 1e-9, break, end, x = y;
end
r = sum(y .* (1:n)') + it;
end
