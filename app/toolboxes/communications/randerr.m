function e = randerr(m, n, errors, seed)
% e = randerr(m, n, errors, seed): in each row so many ones at random places (1); a second row holds chances.
if nargin < 2, n = m; end
if nargin < 3, errors = 1; end
if nargin > 3, rng(seed); end
if size(errors, 1) == 1, errors(2, :) = 1/size(errors, 2); end
e = zeros(m, n);
ends = cumsum(errors(2, :));
for k = 1:m
    count = errors(1, find(rand <= [ends(1:end - 1) 1], 1));
    e(k, randperm(n, count)) = 1;
end
end
