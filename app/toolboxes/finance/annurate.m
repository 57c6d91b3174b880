function r = annurate(n, payment, present, future, due)
% r = annurate(n, payment, present, future, due): the rate at which n payments pay present back; future (0) is left.
if nargin < 4, future = 0; end
if nargin < 5, due = 0; end
f = @(x) pvfix(x, n, payment, future, due) - present;
r = fzero(f, [1e-10 10]);
end
