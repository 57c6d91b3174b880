function y = onehotencode(x, dim, varargin)
% y = onehotencode(x, dim, class): categories (or whole numbers with 'ClassNames', names) as ones in the dimension dim.
[class_, names] = deal('double', []);
rest = varargin;
if mod(numel(rest), 2)
    class_ = char(rest{1});
    rest(1) = [];
end
for k = 1:2:numel(rest)
    validatestring(rest{k}, {'ClassNames'}, 'onehotencode');
    names = rest{k + 1};
end
if iscategorical(x)
    if isempty(names), names = categories(x); end
    [~, place] = ismember(cellstr(x), cellstr(names));
else
    if isempty(names), error('nnet:onehotencode:ClassNames', 'Numbers and texts need the option ClassNames.'); end
    [~, place] = ismember(x, names);
end
if size(place, dim) ~= 1, error('nnet:onehotencode:InvalidDim', 'The dimension must be a single one.'); end
shape = ones(1, max(dim, ndims(place)));
shape(dim) = numel(names);
y = cast(place == reshape(1:numel(names), shape), class_);
if isfloat(y), y(repmat(place == 0, shape)) = NaN; end
end
