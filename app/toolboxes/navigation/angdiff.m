function d = angdiff(a, b)
% d = angdiff(a, b): b - a as angles from -pi to pi; angdiff(a): of neighbours.
if nargin < 2, d = diff(a); else, d = b - a; end
d = mod(d + pi, 2*pi) - pi;
end
