function [r, u, k, e] = rlevinson(a, efinal)
% [r, u, k, e] = rlevinson(a, efinal): the autocorrelation that a predictor and its last error come from (the
%   inverse of levinson), the predictors of all orders, reflection coefficients and errors.
a = a(:);
a = a/a(1);
p = numel(a) - 1;
u = zeros(p + 1);
k = zeros(p, 1);
e = zeros(p, 1);
u(:, p + 1) = conj(a(end:-1:1));
e(p) = efinal;
for m = p:-1:1
    k(m) = a(m + 1);
    if abs(k(m)) == 1, error('signal:rlevinson:SignalErr', 'At least one reflection coefficient is one in magnitude.'); end
    if m > 1, e(m - 1) = e(m)/(1 - abs(k(m))^2); end
    b = a(m + 1:-1:1);
    a = (a - k(m)*conj(b))/(1 - abs(k(m))^2);
    a = a(1:m);
    u(1:m, m) = conj(a(end:-1:1));
end
r = zeros(p + 1, 1);
r(1) = e(1)/(1 - abs(k(1))^2);
r(2) = -conj(k(1))*r(1);
for m = 2:p
    r(m + 1) = -sum(conj(u(m - 1:-1:1, m)).*r(m:-1:2)) - conj(k(m))*e(m - 1);
end
r = real_where(r, a);
end

function r = real_where(r, a)
if isreal(a), r = real(r); end
end
