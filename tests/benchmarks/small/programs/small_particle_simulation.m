function r = small_particle_simulation()
p = zeros(50, 2); v = [mod((1:50)'*7, 5) - 2, mod((1:50)'*3, 5) - 2];
for k = 1:200, p = p + 0.01*v; w = abs(p) > 1; v(w) = -v(w); end
r = sum(p(:));
end
