function [d, place] = maxdrawdown(x, format)
% [d, place] = maxdrawdown(x, format): the largest fall of each column from its highest value so far, as a share
%   of it; formats: return (default), arithmetic, geometric (of logarithms); and from where to where.
if nargin < 2, format = 'return'; end
format = validatestring(format, {'return', 'arithmetic', 'geometric'}, 'maxdrawdown');
if isrow(x), x = x(:); end
top = cummax(x, 1);
switch format
    case 'return', fall = (top - x)./top;
    case 'arithmetic', fall = top - x;
    case 'geometric', fall = log(top./x);
end
[d, low] = max(fall, [], 1);
high = zeros(size(low));
for k = 1:numel(low), high(k) = find(x(1:low(k), k) == top(low(k), k), 1, 'last'); end
place = [high; low];
place(:, d == 0) = NaN;
end
