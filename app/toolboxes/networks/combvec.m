function y = combvec(varargin)
% y = combvec(a1, a2, ...): all combinations of the columns of matrices, those of the first change fastest.
y = zeros(0, 1);
for k = 1:nargin
    next = varargin{k};
    y = [repmat(y, 1, size(next, 2)); repelem(next, 1, size(y, 2))];
end
end
