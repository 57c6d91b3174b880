% Largest singular value of an n x 512 matrix.
A = single(reshape(mod((1:n*512)' * 0.6180339887498949, 1), n, 512));
%% Work
v = ones(512, 1, 'single');
for k = 1:30
    w = A' * (A * v);
    v = w / norm(w);
end
result = norm(A * v) / sqrt(n);
