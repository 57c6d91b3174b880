function c = gfadd(a, b, p, len)
% c = gfadd(a, b), gfadd(a, b, p), gfadd(a, b, p, len): the sum of polynomials, by ascending powers, over the numbers modulo a prime p (2). len is the number
%   of powers of the answer; negative: as few as there are.
if nargin < 3, p = 2; end
if ~isscalar(p), error('comm:gfadd:field', 'gfadd computes modulo a prime; extension fields are those of gf.'); end
if ~isprime(p), error('comm:gfadd:prime', 'P must be a prime.'); end
if isvector(a) && isvector(b)
    [na, nb] = deal(numel(a), numel(b));
    wide = max(na, nb);
    [a, b] = deal([a(:)' zeros(1, wide - na)], [b(:)' zeros(1, wide - nb)]);
end
c = mod(a + b, p);
if nargin > 3
    if len < 0, c = gftrunc(c); else, c = [c(1:min(len, end)) zeros(1, len - numel(c))]; end
end
end
