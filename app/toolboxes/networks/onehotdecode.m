function x = onehotdecode(y, names, dim)
% x = onehotdecode(y, names, dim): the categories whose elements are largest along the dimension dim.
[~, place] = max(y, [], dim);
if isnumeric(names), names = arrayfun(@num2str, names, 'UniformOutput', false); end
x = categorical(place, 1:numel(names), cellstr(names));
end
