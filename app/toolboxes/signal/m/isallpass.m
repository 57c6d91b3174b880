function tf = isallpass(b, a, tol)
% tf = isallpass(b, a, tol): whether the numerator is the reversed conjugate of the denominator, up to a sign.
if nargin < 2, a = 1; end
if nargin < 3, tol = eps^(2/3); end
b = b(1:find(b, 1, 'last'));
b = b(find(b, 1):end)/max(abs(b));
a = a(1:find(a, 1, 'last'))/max(abs(a));
r = conj(a(end:-1:1));
tf = numel(b) == numel(r) && (max(abs(b - r)) <= tol || max(abs(b + r)) <= tol);
end
