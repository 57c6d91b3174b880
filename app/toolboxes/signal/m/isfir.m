function tf = isfir(b, a)
% tf = isfir(b, a): whether the filter b/a has no poles but at zero.
if nargin < 2, a = 1; end
tf = ~any(a(2:end));
end
