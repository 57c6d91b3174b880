function [y, e] = bsc(x, p)
% [y, e] = bsc(x, p): bits that are turned over with the chance p, and which were.
e = rand(size(x)) < p;
y = double(xor(x, e));
e = double(e);
if islogical(x), y = logical(y); end
end
