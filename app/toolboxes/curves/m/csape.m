function pp = csape(x, y, conds, valconds)
% pp = csape(x, y): the cubic spline through the points whose end slopes are those of the cubics
%   through the first and through the last four points.
% pp = csape(x, y, conds): 'complete' or 'clamped' (given slopes), 'second' (given second
%   derivatives), 'variational' (second derivatives of 0), 'periodic' or 'not-a-knot'; or a row of two
%   numbers, one for each end: 1 a given slope, 2 a given second derivative.
% pp = csape(x, y, conds, valconds): the values of the two ends; y may hold them before its first
%   and behind its last column instead. Without them, slopes are those of csape(x, y), second
%   derivatives are 0.
if nargin < 3
    conds = [1 1];
end
ends = named_ends(conds);
given = 2*(numel(y) == numel(x) + 2 || (~isvector(y) && size(y, 2) == numel(x) + 2));
[x, y, values] = sites_and_values(x, y, given);
if nargin > 3
    values = reshape(valconds, [], 2) + zeros(size(y, 1), 1);
end
if isempty(values)
    values = zeros(size(y, 1), 2);
    ends(strcmp(ends, 'slope')) = {'lagrange'};
end
pp = cubic_spline(x, y, end_slopes(x, y, ends, values));
end

function ends = named_ends(conds)
if isnumeric(conds)
    if numel(conds) ~= 2 || ~all(ismember(conds, [1 2]))
        error('SPLINES:CSAPE:conds', 'Numeric end conditions are two of 1 (slope) and 2 (second derivative).');
    end
    known = {'slope', 'second'};
    ends = known(conds);
    return
end
known = {'complete', 'clamped', 'second', 'variational', 'periodic', 'not-a-knot'};
means = {'slope', 'slope', 'second', 'natural', 'periodic', 'not-a-knot'};
ends = repmat(means(strcmp(validatestring(conds, known), known)), 1, 2);
end
