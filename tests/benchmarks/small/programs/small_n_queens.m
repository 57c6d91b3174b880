function r = small_n_queens()
r = place(zeros(1, 6), 1, 6);
end
function c = place(q, k, n)
if k > n, c = 1; return, end
c = 0;
for j = 1:n
ok = true;
for i = 1:k-1, if q(i) == j || abs(q(i) - j) == k - i, ok = false; break, end, end
if ok, q(k) = j; c = c + place(q, k+1, n); end
end
end
