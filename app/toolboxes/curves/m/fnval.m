function v = fnval(f, x)
% v = fnval(pp, x) or fnval(x, pp): the values of a piecewise polynomial.
if ~isstruct(f)
    [f, x] = deal(x, f);
end
v = ppval(piecewise_form(f), x);
end
