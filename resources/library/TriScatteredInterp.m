function f = TriScatteredInterp(varargin)
% F = TriScatteredInterp(x, y, v), TriScatteredInterp(x, y, z, v), TriScatteredInterp(X, v), ..., method): the older form of
%   scatteredInterpolant; points outside are NaN. method is 'natural', 'linear' or 'nearest'.
method = 'linear';
if nargin && (ischar(varargin{end}) || isstring(varargin{end}))
    method = validatestring(varargin{end}, {'natural', 'linear', 'nearest'}, 'TriScatteredInterp');
    varargin(end) = [];
end
f = scatteredInterpolant(varargin{:}, method, 'none');
end
