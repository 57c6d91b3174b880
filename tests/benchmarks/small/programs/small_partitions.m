function r = small_partitions()
p = [1 zeros(1, 150)]; for k = 1:150, for n = k:150, p(n+1) = p(n+1) + p(n+1-k); end, end
r = p(end);
end
