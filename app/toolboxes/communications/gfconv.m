function c = gfconv(a, b, p)
% c = gfconv(a, b), gfconv(a, b, p): the product of polynomials, by ascending powers, over the numbers modulo a prime p (2).
if nargin < 3, p = 2; end
if ~isscalar(p), error('comm:gfconv:field', 'gfconv computes modulo a prime; extension fields are those of gf.'); end
if ~isprime(p), error('comm:gfconv:prime', 'P must be a prime.'); end
c = mod(conv(gftrunc(a), gftrunc(b)), p);
end
