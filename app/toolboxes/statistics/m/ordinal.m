function c = ordinal(x, labels, levels, edges)
% c = ordinal(x), ordinal(x, labels), ordinal(x, labels, levels), ordinal(x, labels, [], edges): the older form of
%   categorical(..., 'Ordinal', true); with edges numbers are put into bins.
if nargin < 2, labels = {}; end
if nargin > 3
    if isempty(labels), labels = cellstr(string(edges(1:end - 1)) + "-" + string(edges(2:end))); end
    c = categorical(discretize(x, edges), 1:numel(edges) - 1, labels, 'Ordinal', true);
    return
end
if nargin < 3
    c = categorical(x, 'Ordinal', true);
    if ~isempty(labels), c = renamecats(c, labels); end
elseif isempty(labels)
    c = categorical(x, levels, 'Ordinal', true);
else
    c = categorical(x, levels, labels, 'Ordinal', true);
end
end
