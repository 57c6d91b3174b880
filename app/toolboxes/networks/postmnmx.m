function [p, t] = postmnmx(pn, minp, maxp, tn, mint, maxt)
% [p, t] = postmnmx(pn, minp, maxp, tn, mint, maxt): what premnmx brought to the range from -1 to 1, brought back.
p = back(pn, minp, maxp);
if nargin > 3, t = back(tn, mint, maxt); end
end

function x = back(y, low, high)
x = y;
varied = low ~= high;
x(varied, :) = (y(varied, :) + 1)/2.*(high(varied) - low(varied)) + low(varied);
end
