function a = extractfield(S, name)
% a = extractfield(S, name): the values of a field of all structs: a row of all their numbers, or of cells where they are not all numbers of one class.
if ~isfield(S, name), error('map:extractfield:invalidFieldname', 'Field name ''%s'' does not exist.', name); end
values = {S.(name)};
if all(cellfun(@isnumeric, values)) && numel(unique(cellfun(@class, values, 'UniformOutput', false))) <= 1
    values = cellfun(@(v) reshape(v, 1, []), values, 'UniformOutput', false);
    a = [values{:}];
else
    a = values;
end
end
