function d = editDistance(a, b, varargin)
% d = editDistance(text1, text2): the lowest cost of insertions, deletions and substitutions that
% make the second text of the first; texts may be arrays, one of them a scalar.
% editDistance(..., 'InsertCost', i, 'DeleteCost', e, 'SubstituteCost', s, 'SwapCost', w)
parser = inputParser;
parser.FunctionName = 'editDistance';
addParameter(parser, 'InsertCost', 1);
addParameter(parser, 'DeleteCost', 1);
addParameter(parser, 'SubstituteCost', 1);
addParameter(parser, 'SwapCost', Inf);
parse(parser, varargin{:});
costs = parser.Results;
first = string(a);
second = string(b);
if isscalar(first)
    first = repmat(first, size(second));
elseif isscalar(second)
    second = repmat(second, size(first));
end
if ~isequal(size(first), size(second))
    error('MATLAB:sizeDimensionsMustMatch', 'Arrays have incompatible sizes for this operation.');
end
d = zeros(size(first));
for k = 1:numel(d)
    d(k) = lowestCost(char(first(k)), char(second(k)), costs);
end
end

function cost = lowestCost(from, to, costs)
m = numel(from);
n = numel(to);
table = zeros(m + 1, n + 1);
table(:, 1) = (0:m)' * costs.DeleteCost;
table(1, :) = (0:n) * costs.InsertCost;
for i = 1:m
    for j = 1:n
        change = table(i, j);
        if from(i) ~= to(j)
            change = change + costs.SubstituteCost;
        end
        best = min([change, table(i, j + 1) + costs.DeleteCost, table(i + 1, j) + costs.InsertCost]);
        if i > 1 && j > 1 && from(i) == to(j - 1) && from(i - 1) == to(j)
            best = min(best, table(i - 1, j - 1) + costs.SwapCost);
        end
        table(i + 1, j + 1) = best;
    end
end
cost = table(end, end);
end
