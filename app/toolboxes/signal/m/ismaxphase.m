function tf = ismaxphase(b, a, tol)
% tf = ismaxphase(b, a, tol): whether all zeros lie outside the unit circle or on it, and the filter is stable.
if nargin < 2 || isempty(a), a = 1; end
if nargin < 3, tol = eps^(2/3); end
tf = all(abs(roots(b)) >= 1 - tol) && all(abs(roots(a)) < 1);
end
