function pp = fnint(pp, value)
% fnint(pp): the integral of a piecewise polynomial, 0 at its left end. fnint(pp, value): value there.
if nargin < 2
    value = 0;
end
pp = ppint(piecewise_form(pp), value);
end
