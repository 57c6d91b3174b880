% Five nearest of n points for 4,096 queries.
P = single(reshape(mod((1:n*8)' * 0.6180339887498949, 1), n, 8));
Q = single(reshape(mod((1:4096*8)' * 0.7548776662466927, 1), 4096, 8));
%% Work
D = sum(Q.^2, 2) + sum(P.^2, 2)' - 2 * Q * P';
[d, where] = mink(D, 5, 2);
result = mean(sqrt(max(d(:), 0)));
