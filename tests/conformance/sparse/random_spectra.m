% sprandsym and sprand with given eigenvalues, singular values, condition numbers and density
rng(3)
n = 120;
lambda = 1./(1:n);
A = sprandsym(n, .05, lambda);
disp([issymmetric(A), issparse(A), norm(sort(eig(full(A))) - sort(lambda)') < 1e-12, abs(nnz(A)/n^2 - .05) < .01])
B = sprandsym(60, .2, .01);
e = eig(full(B));
disp([abs(cond(full(B)) - 100) < 1e-8, any(e < 0), any(e > 0), full(max(abs(B(:)))) <= 1])
C = sprandsym(60, .2, .01, 1);
disp([abs(cond(full(C)) - 100) < 1e-8, min(eig(full(C))) > 0])
D = sprandsym(60, .2, .01, 2);
disp([issymmetric(D), min(eig(full(D))) > 0, abs(cond(full(D)) - 100) < 1e-6, abs(nnz(D)/3600 - .2) < .05])
S = sprandsym(30, .1) + speye(30);
E = sprandsym(S, [], .1, 3);
disp([isequal(spones(E), spones(S)), min(eig(full(E))) > 0, abs(cond(full(E)) - 10) < 1e-8])
F = sprand(40, 30, .2, [.9 .5 .1]);
disp([norm(svds(F, 3) - [.9 .5 .1]') < 1e-8, size(F), nnz(F) > 200, nnz(F) < 400])
G = sprandn(50, 50, .1, .5);
disp([abs(cond(full(G)) - 2) < 1e-10, abs(nnz(G)/2500 - .1) < .03])
disp(nnz(sprandsym(4, 0, .5)))
disp(size(sprandsym(0, .5, .5)))
try, sprandsym(3, .5, .5, 7), catch err, disp(err.message), end
