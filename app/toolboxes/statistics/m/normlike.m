function [l, c] = normlike(params, x)
% [l, c] = normlike([mu sigma], x): the negative logarithm of the likelihood of normal data, and the asymptotic
%   covariance of the parameters.
z = (x(:) - params(1))/params(2);
l = sum(0.5*z.^2 + log(sqrt(2*pi)*params(2)));
if nargout > 1
    s = params(2);
    c = inv([numel(z) 2*sum(z); 2*sum(z) 3*sum(z.^2) - numel(z)]/s^2);
end
end
