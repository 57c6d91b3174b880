function [pn, minp, maxp, tn, mint, maxt] = premnmx(p, t)
% [pn, minp, maxp, tn, mint, maxt] = premnmx(p, t): rows of inputs, and of targets, brought to the range from -1 to 1.
[pn, minp, maxp] = brought(p);
if nargin > 1, [tn, mint, maxt] = brought(t); end
end

function [y, low, high] = brought(x)
[low, high] = deal(min(x, [], 2), max(x, [], 2));
y = tramnmx(x, low, high);
end
