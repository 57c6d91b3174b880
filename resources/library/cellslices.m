function c = cellslices(x, first, last, dim)
% c = cellslices(x, first, last, dim): the slices first(k):last(k) of an array, in a cell (Octave's).
if numel(first) ~= numel(last)
    error('cellslices:sizes', 'There must be as many ends as beginnings.');
end
if nargin < 4
    dim = find(size(x) ~= 1, 1);
    if isempty(dim)
        dim = 1;
    end
end
places = repmat({':'}, 1, max(ndims(x), dim));
c = cell(1, numel(first));
for k = 1:numel(first)
    places{dim} = first(k):last(k);
    c{k} = x(places{:});
end
end
