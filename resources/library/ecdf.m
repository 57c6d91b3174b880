function varargout = ecdf(y, varargin)
% [f, x] = ecdf(y): the empirical distribution function of a sample (Kaplan and Meier).
%   [f, x, low, up] = ecdf(y, 'Alpha', a): with bounds after Greenwood.
%   Options: Censoring, Frequency, Alpha (0.05), Function ('cdf', 'survivor', 'cumulative hazard').
%   Without outputs it is drawn.
p = inputParser;
p.FunctionName = 'ecdf';
p.addParameter('Censoring', []);
p.addParameter('Frequency', []);
p.addParameter('Alpha', 0.05);
p.addParameter('Function', 'cdf');
p.parse(varargin{:});
kind = validatestring(p.Results.Function, {'cdf', 'survivor', 'cumulative hazard'});
[y, gone, weight] = deal(double(y(:)), p.Results.Censoring(:), p.Results.Frequency(:));
if isempty(gone)
    gone = false(size(y));
end
if isempty(weight)
    weight = ones(size(y));
end
known = ~isnan(y) & weight > 0;
[y, gone, weight] = deal(y(known), gone(known) ~= 0, double(weight(known)));
if isempty(y)
    error('stats:ecdf:NotEnoughData', 'Input sample has no valid data (all missing values).');
end
[x, ~, group] = unique(y);
died = accumarray(group, weight.*~gone);
left = accumarray(group, weight);
risk = sum(weight) - [0; cumsum(left(1:end-1))];
[x, died, risk] = deal(x(died > 0), died(died > 0), risk(died > 0));
S = cumprod(1 - died./risk);
spread = cumsum(died./(risk.*(risk - died)));
z = -norminv(p.Results.Alpha/2);
switch kind
    case 'cdf'
        [f, se, start] = deal(1 - S, S.*sqrt(spread), 0);
        bounds = [max(0, f - z*se), min(1, f + z*se)];
    case 'survivor'
        [f, se, start] = deal(S, S.*sqrt(spread), 1);
        bounds = [max(0, f - z*se), min(1, f + z*se)];
    otherwise
        [f, start] = deal(cumsum(died./risk), 0);
        se = sqrt(cumsum(died./risk.^2));
        bounds = [max(0, f - z*se), f + z*se];
end
bounds(S == 0 & ~strcmp(kind, 'cumulative hazard'), :) = NaN;
f = [start; f];
x = [min(y); x];
if nargout == 0
    stairs(x, f)
    xlabel('x'), ylabel('F(x)')
else
    varargout = {f, x, [NaN; bounds(:, 1)], [NaN; bounds(:, 2)]};
end
end
