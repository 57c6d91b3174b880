function w = rands(s, r)
% w = rands(s, r), rands(s): weights at random between -1 and 1, s by r; r may be a matrix with one row of limits for each input.
if nargin < 2, r = 1; end
if ~isscalar(r), r = size(r, 1); end
w = 2*rand(s, r) - 1;
end
