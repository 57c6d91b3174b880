function [h, p, stats] = runstest(x, varargin)
% [h, p, stats] = runstest(x, v): whether values above and below v (the mean) come in random order.
%   runstest(x, 'ud'): runs up and down. Options: 'Alpha' (0.05), 'Tail' (both, right, left), 'Method' (exact,
%   approximate).
v = [];
ups = false;
rest = varargin;
if ~isempty(rest) && isnumeric(rest{1})
    v = rest{1};
    rest(1) = [];
elseif ~isempty(rest) && strcmpi(rest{1}, 'ud')
    ups = true;
    rest(1) = [];
end
o = inputParser;
o.FunctionName = 'runstest';
addParameter(o, 'Alpha', 0.05);
addParameter(o, 'Tail', 'both');
addParameter(o, 'Method', '');
parse(o, rest{:});
x = x(~isnan(x));
x = x(:);
if isempty(v), v = mean(x); end
if ups
    s = sign(diff(x));
    s = s(s ~= 0);
    n = numel(s) + 1;
    [m, var_] = deal((2*n - 1)/3, (16*n - 29)/90);
    n1 = sum(s > 0);
    n0 = sum(s < 0);
else
    s = sign(x - v);
    s = s(s ~= 0);
    n1 = sum(s > 0);
    n0 = sum(s < 0);
    n = n1 + n0;
    [m, var_] = deal(1 + 2*n1*n0/n, 2*n1*n0*(2*n1*n0 - n)/(n^2*(n - 1)));
end
runs = 1 + sum(diff(s) ~= 0);
exact = ~ups && n < 50;
if ~isempty(o.Results.Method)
    exact = strcmp(validatestring(o.Results.Method, {'exact', 'approximate'}, 'runstest'), 'exact');
    if exact && ups, error('stats:runstest:BadMethod', 'The exact method needs runs above and below.'); end
end
if exact
    [low, high] = exact_tails(runs, n1, n0);
else
    low = normcdf((runs + 0.5*(runs < m) - 0.5*(runs > m) - m)/sqrt(var_));
    high = 1 - low;
end
switch validatestring(o.Results.Tail, {'both', 'right', 'left'}, 'runstest')
    case 'both', p = min(1, 2*min(low, high));
    case 'right', p = high;
    case 'left', p = low;
end
h = double(p <= o.Results.Alpha);
z = (runs - m + 0.5*((runs < m) - (runs > m)))/sqrt(var_);
stats = struct('nruns', runs, 'n1', n1, 'n0', n0, 'z', z);
end

function [low, high] = exact_tails(r, a, b)
total = nchoosek(a + b, a);
chance = zeros(1, a + b);
for k = 2:a + b
    j = floor(k/2);
    if mod(k, 2)
        chance(k) = choose(a - 1, j - 1)*choose(b - 1, j) + choose(a - 1, j)*choose(b - 1, j - 1);
    else
        chance(k) = 2*choose(a - 1, j - 1)*choose(b - 1, j - 1);
    end
end
chance = chance/total;
low = sum(chance(1:r));
high = sum(chance(r:end));
end

function c = choose(n, k)
if k < 0 || k > n, c = 0; else, c = nchoosek(n, k); end
end
