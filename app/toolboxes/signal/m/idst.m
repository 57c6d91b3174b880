function x = idst(y, varargin)
% x = idst(y): inverse discrete sine transform of a vector or of the columns of a matrix.
%   idst(y, n): n values of each column, cut off or filled up with zeros.
x = dst(y, varargin{:});
if isrow(x)
    x = 2/(numel(x) + 1)*x;
else
    x = 2/(size(x, 1) + 1)*x;
end
end
