function n = netsum(varargin)
% n = netsum({z1, z2, ...}) or netsum(z1, z2, ...): the sum of inputs of one size.
z = varargin;
if isscalar(z) && iscell(z{1}), z = z{1}; end
n = z{1};
for k = 2:numel(z), n = n + z{k}; end
end
