function [xa, ya, d] = alignsignals(x, y, varargin)
% [xa, ya, d] = alignsignals(x, y, maxlag): the earlier signal delayed, so that both are aligned.
d = finddelay(x, y, varargin{:});
[xa, ya] = deal(x, y);
if d > 0
    xa = delayed(x, d);
elseif d < 0
    ya = delayed(y, -d);
end
end

function y = delayed(x, n)
if isrow(x), y = [zeros(1, n) x]; else, y = [zeros(n, size(x, 2)); x]; end
end
