function [n, ratio, each] = biterr(x, y, varargin)
% [n, ratio, each] = biterr(x, y, k, flag): how many bits of whole numbers differ, and their share; k bits a number.
%   Flags: overall (default of equal sizes), column-wise, row-wise.
[k, flag] = error_options('biterr', varargin);
[x, y, flag] = compared('biterr', x, y, flag);
if isempty(k), k = max(1, floor(log2(max([double(x(:)); double(y(:)); 1]))) + 1); end
each = zeros(size(x));
for b = 1:k, each = each + (bitget(double(x), b) ~= bitget(double(y), b)); end
switch flag
    case 'overall', n = sum(each(:)); count = numel(each);
    case 'column-wise', n = sum(each, 1); count = size(each, 1);
    case 'row-wise', n = sum(each, 2); count = size(each, 2);
end
ratio = n/(count*k);
end
