function n = netprod(varargin)
% n = netprod({z1, z2, ...}) or netprod(z1, z2, ...): the product, element by element, of inputs of one size.
z = varargin;
if isscalar(z) && iscell(z{1}), z = z{1}; end
n = z{1};
for k = 2:numel(z), n = n.*z{k}; end
end
