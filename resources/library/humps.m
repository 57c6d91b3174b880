function [x, y] = humps(x)
% y = humps(x), [x, y] = humps(x): a function with two maxima and a root, for demonstrations.
if nargin < 1
    x = 0:0.05:1;
end
y = 1 ./ ((x - 0.3).^2 + 0.01) + 1 ./ ((x - 0.9).^2 + 0.04) - 6;
if nargout < 2
    x = y;
end
end
