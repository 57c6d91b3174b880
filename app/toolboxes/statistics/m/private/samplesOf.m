function [y, place, names] = samplesOf(x, group, name)
% Observations as a column, the number of the group of each, and the names of the groups.
if isempty(group) || (ischar(group) && size(group, 1) ~= size(x, 2) && size(group, 1) ~= numel(x))
    group = [];
end
if isempty(group) && ~isvector(x)
    [place, names] = deal(repmat(1:size(x, 2), size(x, 1), 1), arrayfun(@num2str, (1:size(x, 2))', 'UniformOutput', false));
elseif ~isvector(x)
    if ischar(group), group = cellstr(group); end
    [~, names] = grp2idx(group);
    if numel(group) ~= size(x, 2), error(['stats:' name ':InputSizeMismatch'], 'There must be a group for every column.'); end
    if iscellstr(group) || isstring(group), names = cellstr(group(:)); end
    place = repmat(1:size(x, 2), size(x, 1), 1);
elseif isempty(group)
    [place, names] = deal(ones(size(x)), {'1'});
else
    if ischar(group), group = cellstr(group); end
    if numel(group) ~= numel(x)
        error(['stats:' name ':InputSizeMismatch'], 'There must be a group for every observation.');
    end
    [place, names] = grp2idx(group);
end
[y, place] = deal(double(x(:)), place(:));
keep = ~isnan(y) & ~isnan(place);
[y, place] = deal(y(keep), place(keep));
