function [m, added] = vec2mat(v, n, padding)
% [m, added] = vec2mat(v, n, padding): a vector in rows of n elements, filled up with the padding (0).
if nargin < 3, padding = 0; end
added = mod(-numel(v), n);
v = v(:).';
padding = padding(:).';
fill_ = padding(max(1, end - added + 1):end);
fill_ = [fill_, repmat(padding(end), 1, added - numel(fill_))];
m = reshape([v fill_(1:added)], n, []).';
end
