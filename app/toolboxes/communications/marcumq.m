function q = marcumq(a, b, m)
% q = marcumq(a, b), marcumq(a, b, m): Marcum's Q function of order m (1), the chance that a noncentral chi of 2m degrees and noncentrality a exceeds b.
if nargin < 3, m = 1; end
if any(a(:) < 0) || any(b(:) < 0), error('comm:marcumq:negative', 'A and B must not be negative.'); end
if any(m(:) < 1 | m(:) ~= fix(m(:))), error('comm:marcumq:order', 'M must be a positive integer.'); end
q = ncx2cdf(b.^2 + 0*a + 0*m, 2*m + 0*a + 0*b, a.^2 + 0*b + 0*m, 'upper');
end
