% a few eigenvalues of sparse pairs without symmetry, also where the second matrix is singular
n = 600; k = 1:n;
A = spdiags([-ones(n,1) 2*ones(n,1) -.999*ones(n,1)], -1:1, n, n);
known = (2 - 2*sqrt(.999)*cos(k'*pi/(n + 1)))/2;
near = @(x, y) norm(sort(real(x)) - sort(y))/norm(y) < 1e-8;
[~, i] = sort(abs(known)); disp(near(eigs(A, 2*speye(n), 3, 'sm'), known(i(1:3))))
[~, i] = sort(abs(known - 1.5)); disp(near(eigs(A, 2*speye(n), 2, 1.5), known(i(1:2))))
w = ones(n, 1); w([1 end]) = 0;
B = spdiags(w, 0, n, n);
[V, D] = eigs(A, B, 4, 'sm');
disp(norm(A*V - B*V*D, 1) < 1e-8)
