D = sparse([2 0; 1 4]);
disp(full(D^-1)); disp(issparse(D^-1)); disp(full(D^-2) - inv(full(D))^2); disp(full(D^0)); disp(full(sparse(4)^0.5)); disp(full(sparse(2)^-1))
n = 60; T = spdiags(ones(n, 1) * [-1 4 -1], -1:1, n, n); disp(norm(full(T^-1 * T) - eye(n), 1) < 1e-12)
disp(isequal(D^complex(2, 0), D * D)); disp(isequal(D^int8(2), D * D))
for p = {1+2i, 1i, Inf, NaN, 0.5}, try, D^p{1}, catch e, disp(e.identifier), end, end
