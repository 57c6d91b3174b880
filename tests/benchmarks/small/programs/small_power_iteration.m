function r = small_power_iteration()
A = magic(12); x = ones(12, 1);
for k = 1:200, x = A*x; x = x/norm(x); end
r = x'*A*x;
end
