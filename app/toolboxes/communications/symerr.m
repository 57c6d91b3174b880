function [n, ratio, each] = symerr(x, y, varargin)
% [n, ratio, each] = symerr(x, y, flag): how many elements differ, and their share. Flags: overall, column-wise, row-wise.
[~, flag] = error_options('symerr', varargin);
[x, y, flag] = compared('symerr', x, y, flag);
each = double(x ~= y);
switch flag
    case 'overall', n = sum(each(:)); count = numel(each);
    case 'column-wise', n = sum(each, 1); count = size(each, 1);
    case 'row-wise', n = sum(each, 2); count = size(each, 2);
end
ratio = n/count;
end
