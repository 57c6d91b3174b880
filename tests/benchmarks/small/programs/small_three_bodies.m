function r = small_three_bodies()
p = [0 0; 1 0; 0 1]; v = [0 0; 0 0.5; -0.5 0]; for k = 1:300, a = zeros(3, 2); for i = 1:3, for j = 1:3, if i ~= j, d = p(j,:) - p(i,:); a(i,:) = a(i,:) + d/(norm(d)^3 + 0.1); end, end, end, v = v + 0.01*a; p = p + 0.01*v; end
r = round(sum(p(:))*1e6);
end
