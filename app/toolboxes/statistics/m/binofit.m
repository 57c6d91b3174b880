function [p, ci] = binofit(x, n, alpha)
% [p, ci] = binofit(x, n, alpha): the chance of success from x of n trials, and Clopper and Pearson's bounds.
if nargin < 3, alpha = 0.05; end
p = x./n;
low = betainv(alpha/2, max(x, realmin), n - x + 1);
high = betainv(1 - alpha/2, x + 1, max(n - x, realmin));
low(x == 0) = 0;
high(x == n) = 1;
ci = [low(:) high(:)];
end
