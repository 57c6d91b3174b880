% Burgers' equation on n cells by an upwind scheme, 200 steps.
u0 = single(1 + 0.5 * sin(2 * pi * (1:n)' / n));
%% Work
u = u0;
c = 0.2;
for k = 1:200
    f = u.^2 / 2;
    u = u - c * (f - f([end 1:end-1]));
end
result = sum(u.^2) / n;
