function varargout = prepareCurveData(varargin)
% [x, y] = prepareCurveData(x, y): columns of doubles without rows that are NaN or Inf.
%   [x, y, w] = prepareCurveData(x, y, w): the same with weights. An empty x is 1, 2, ....
narginchk(2, 3);
if isempty(varargin{1})
    varargin{1} = 1:numel(varargin{2});
end
columns = cellfun(@(v) double(real(v(:))), varargin, 'UniformOutput', false);
if any(cellfun(@numel, columns) ~= numel(columns{1}))
    error('curvefit:prepareCurveData:unequalLength', ...
        'Data must have the same number of elements.');
end
kept = all(isfinite([columns{:}]), 2);
varargout = cellfun(@(v) v(kept), columns, 'UniformOutput', false);
end
