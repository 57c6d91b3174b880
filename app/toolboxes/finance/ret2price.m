function [prices, times] = ret2price(r, start, steps, first, method)
% [prices, times] = ret2price(r, start, steps, first, method): prices from returns, continuous (default) or periodic.
if nargin < 2 || isempty(start), start = 1; end
if nargin < 3 || isempty(steps), steps = 1; end
if nargin < 4 || isempty(first), first = 0; end
if nargin < 5, method = 'continuous'; end
if isrow(r), r = r(:); end
steps = steps(:).*ones(size(r, 1), 1);
if strcmpi(validatestring(method, {'continuous', 'periodic'}, 'ret2price'), 'continuous')
    grown = exp(cumsum(r.*steps, 1));
else
    grown = cumprod(1 + r.*steps, 1);
end
prices = start(:)'.*[ones(1, size(r, 2)); grown];
times = first + [0; cumsum(steps)];
end
