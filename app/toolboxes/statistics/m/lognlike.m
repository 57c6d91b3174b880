function l = lognlike(params, x)
% l = lognlike([mu sigma], x): the negative logarithm of the likelihood of lognormal data.
l = normlike(params, log(x)) + sum(log(x(:)));
end
