function [l, v] = explike(mu, x)
% [l, v] = explike(mu, x): the negative logarithm of the likelihood of exponential data, and mu's variance.
n = numel(x);
l = n*log(mu) + sum(x(:))/mu;
v = mu^2/n;
end
