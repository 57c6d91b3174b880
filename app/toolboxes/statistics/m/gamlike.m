function l = gamlike(params, x)
% l = gamlike([a b], x): the negative logarithm of the likelihood of gamma data.
[a, b] = deal(params(1), params(2));
l = -sum((a - 1)*log(x(:)) - x(:)/b - a*log(b) - gammaln(a));
end
