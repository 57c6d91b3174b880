% Sobel edges of an n x n picture and the share of strong ones.
A = single(reshape(mod((1:n*n)' * 0.6180339887498949, 1), n, n));
%% Work
h = [1 2 1; 0 0 0; -1 -2 -1];
gx = conv2(A, h', 'same');
gy = conv2(A, h, 'same');
g = sqrt(gx.^2 + gy.^2);
result = sum(g(:) > 1.5) / numel(g);
