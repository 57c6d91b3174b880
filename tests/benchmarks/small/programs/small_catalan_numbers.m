function r = small_catalan_numbers()
c = zeros(1, 30); c(1) = 1; for n = 2:30, for k = 1:n-1, c(n) = c(n) + c(k)*c(n-k); end, end
r = c(30);
end
