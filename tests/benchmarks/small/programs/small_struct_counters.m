function r = small_struct_counters()
s.count = 0; s.total = 0; s.list = zeros(1, 10); for k = 1:3000, s.count = s.count + 1; s.total = s.total + mod(k, 7); j = mod(k, 10) + 1; s.list(j) = s.list(j) + 1; end
r = s.total + s.list(3);
end
