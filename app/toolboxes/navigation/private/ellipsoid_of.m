function [f, a] = ellipsoid_of(name, args)
% Flattening and radius; WGS84's unless given.
[f, a] = deal(1/298.257223563, 6378137);
if isscalar(args) && (ischar(args{1}) || isstring(args{1}))
    validatestring(args{1}, {'WGS84'}, name);
elseif numel(args) == 2
    [f, a] = deal(args{:});
end
end
