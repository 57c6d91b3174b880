% Gray and Scott's reaction and diffusion, 100 steps.
U0 = ones(n, 'single'); V0 = zeros(n, 'single');
V0(n/2-10:n/2+10, n/2-10:n/2+10) = 0.5;
U0(n/2-10:n/2+10, n/2-10:n/2+10) = 0.25;
laplace = @(A) circshift(A, [0 1]) + circshift(A, [0 -1]) + circshift(A, [1 0]) ...
    + circshift(A, [-1 0]) - 4 * A;
%% Work
U = U0; V = V0;
F = 0.035; k = 0.065;
for t = 1:100
    R = U .* V.^2;
    U = U + 0.16 * laplace(U) - R + F * (1 - U);
    V = V + 0.08 * laplace(V) + R - (F + k) * V;
end
result = sum(V(:));
