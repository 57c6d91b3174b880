function c = nominal(x, labels, levels)
% c = nominal(x), nominal(x, labels), nominal(x, labels, levels): the older form of categorical(x, levels, labels).
if nargin < 2, labels = {}; end
if nargin < 3
    c = categorical(x);
    if ~isempty(labels), c = renamecats(c, labels); end
elseif isempty(labels)
    c = categorical(x, levels);
else
    c = categorical(x, levels, labels);
end
end
