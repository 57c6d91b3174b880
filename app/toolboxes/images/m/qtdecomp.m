function s = qtdecomp(a, varargin)
% S = qtdecomp(I, threshold, [min max]): a square image cut into quarters until each block's values differ by at
%   most the threshold (0; a share of the range for images of integers); S holds the sizes of the blocks.
[fun, threshold, limits] = deal([], 0, [1 size(a, 1)]);
rest = varargin;
if ~isempty(rest) && isa(rest{1}, 'function_handle')
    fun = rest{1};
    rest(1) = [];
elseif ~isempty(rest)
    threshold = rest{1};
    rest(1) = [];
    if ~isempty(rest), limits = [rest{1} size(a, 1)]; limits = limits(1:2); rest = {}; end
end
if size(a, 1) ~= size(a, 2), error('images:qtdecomp:invalidSize', 'The image must be square.'); end
if isinteger(a), threshold = threshold*double(intmax(class(a))); end
x = double(a);
s = zeros(size(a));
todo = [1 1 size(a, 1)];
while ~isempty(todo)
    [r, c, n] = deal(todo(1, 1), todo(1, 2), todo(1, 3));
    todo(1, :) = [];
    block = x(r:r + n - 1, c:c + n - 1);
    if isempty(fun), split_ = max(block(:)) - min(block(:)) > threshold; else, split_ = fun(block, rest{:}); end
    if n > limits(2) || (split_ && mod(n, 2) == 0 && n/2 >= limits(1))
        h = n/2;
        todo = [todo; r c h; r + h c h; r c + h h; r + h c + h h];
    else
        s(r, c) = n;
    end
end
s = sparse(s);
end
