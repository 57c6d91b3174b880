function tf = isminphase(b, a, tol)
% tf = isminphase(b, a, tol): whether all zeros lie inside the unit circle or on it, and all poles inside.
if nargin < 2 || isempty(a), a = 1; end
if nargin < 3, tol = eps^(2/3); end
tf = all(abs(roots(b)) <= 1 + tol) && all(abs(roots(a)) < 1);
end
