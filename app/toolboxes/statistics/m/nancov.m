function c = nancov(x, varargin)
% c = nancov(X), nancov(X, Y), nancov(..., flag), nancov(..., 'pairwise'): the covariance of the observations that are not NaN.
%   Rows with a NaN are left out ('complete'), or, 'pairwise', those where one of the two columns at hand has one. flag 1
%   divides by n, 0 by n - 1.
rows = 'omitrows';
if ~isempty(varargin) && (ischar(varargin{end}) || isstring(varargin{end}))
    if strcmp(validatestring(varargin{end}, {'complete', 'pairwise'}, 'nancov'), 'pairwise'), rows = 'partialrows'; end
    varargin(end) = [];
end
c = cov(x, varargin{:}, rows);
end
