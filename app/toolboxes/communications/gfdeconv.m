function [q, r] = gfdeconv(b, a, p)
% [q, r] = gfdeconv(b, a), gfdeconv(b, a, p): quotient and rest of polynomials, by ascending powers, over the numbers modulo a prime p (2).
if nargin < 3, p = 2; end
if ~isscalar(p), error('comm:gfdeconv:field', 'gfdeconv computes modulo a prime; extension fields are those of gf.'); end
if ~isprime(p), error('comm:gfdeconv:prime', 'P must be a prime.'); end
[r, a] = deal(gftrunc(mod(b, p)), gftrunc(mod(a, p)));
if isequal(a, 0), error('comm:gfdeconv:zero', 'The divisor must not be zero.'); end
[~, inverse] = gcd(a(end), p);
q = zeros(1, max(numel(r) - numel(a) + 1, 1));
while numel(r) >= numel(a) && any(r)
    at = numel(r) - numel(a);
    q(at + 1) = mod(r(end)*inverse, p);
    r(at + 1:end) = mod(r(at + 1:end) - q(at + 1)*a, p);
    r = gftrunc(r);
end
q = gftrunc(q);
end
