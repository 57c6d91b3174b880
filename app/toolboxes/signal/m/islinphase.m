function tf = islinphase(b, a, tol)
% tf = islinphase(b, a, tol): whether the filter has linear phase: no feedback, and (anti)symmetric coefficients.
if nargin < 2 || isempty(a), a = 1; end
if nargin < 3, tol = eps^(2/3); end
first = find(b, 1);
last = find(b, 1, 'last');
c = b(first:last)/max(abs(b));
r = conj(c(end:-1:1));
tf = isfir(b, a) && (max(abs(c - r)) <= tol || max(abs(c + r)) <= tol);
end
