function r = small_binary_search()
x = (1:5000)*3; r = 0;
for k = 1:2000
lo = 1; hi = numel(x);
while lo <= hi, m = floor((lo + hi)/2); if x(m) == 3*k, r = r + m; break, elseif x(m) < 3*k, lo = m + 1; else, hi = m - 1; end, end
end
end
