function y = cellindexmat(x, varargin)
% y = cellindexmat(x, i, ...): y{k} is x{k}(i, ...) (Octave's).
y = cell(size(x));
for k = 1:numel(x)
    y{k} = x{k}(varargin{:});
end
end
