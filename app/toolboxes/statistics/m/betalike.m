function l = betalike(params, x)
% l = betalike([a b], x): the negative logarithm of the likelihood of beta data.
[a, b] = deal(params(1), params(2));
l = -sum((a - 1)*log(x(:)) + (b - 1)*log1p(-x(:)) - betaln(a, b));
end
