function l = wbllike(params, x)
% l = wbllike([a b], x): the negative logarithm of the likelihood of Weibull data.
[a, b] = deal(params(1), params(2));
z = x(:)/a;
l = -sum(log(b/a) + (b - 1)*log(z) - z.^b);
end
