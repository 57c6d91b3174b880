% Heat on a plate of n x n, 200 steps, interior slices written in place.
u0 = zeros(n, 'single');
u0(n/4:n/2, n/4:n/2) = 1;
%% Work
u = u0;
r = 0.2;
for k = 1:200
    u(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) + r * (u(1:end-2, 2:end-1) ...
        + u(3:end, 2:end-1) + u(2:end-1, 1:end-2) + u(2:end-1, 3:end) - 4 * u(2:end-1, 2:end-1));
end
result = sum(u(:));
