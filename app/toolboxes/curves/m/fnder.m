function pp = fnder(pp, m)
% fnder(pp): the derivative of a piecewise polynomial. fnder(pp, m): the m-th one; for m < 0 the
%   integral, -m times.
if nargin < 2
    m = 1;
end
pp = piecewise_form(pp);
if m > 0
    pp = ppder(pp, m);
end
for k = 1:-m
    pp = ppint(pp);
end
end
