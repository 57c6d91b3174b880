function [stats, samples] = bootstrp(n, f, varargin)
% stats = bootstrp(n, f, d1, d2, ...): f of n samples drawn from the rows of d1, d2, ... with repeats.
%   f is a function or its name; each row of stats is f of one sample. Data of one row and scalars
%   are given as they are. Option: 'Weights', w.
%   [stats, samples] = ...: the rows that were drawn, one sample in each column.
weights = [];
at = find(cellfun(@(v) (ischar(v) || isstring(v)) && any(strcmpi(v, {'Weights', 'Options'})), varargin));
for k = fliplr(at(:)')
    if strcmpi(varargin{k}, 'Weights')
        weights = varargin{k + 1};
    end
    varargin(k:k + 1) = [];
end
if ischar(f) || isstring(f)
    f = str2func(char(f));
end
data = varargin;
for k = 1:numel(data)
    if isrow(data{k}) && numel(data{k}) > 1
        data{k} = data{k}(:);
    end
end
rows = max([1, cellfun(@(d) size(d, 1), data)]);
resampled = cellfun(@(d) size(d, 1) == rows && rows > 1, data);
if isempty(weights)
    samples = randi(rows, rows, n);
else
    samples = reshape(randsample(rows, rows*n, true, weights), rows, n);
end
for k = 1:n
    these = data;
    these(resampled) = cellfun(@(d) d(samples(:, k), :), data(resampled), 'UniformOutput', false);
    if nargin(f) == 0
        value = f();
    else
        value = f(these{:});
    end
    stats(k, 1:numel(value)) = value(:)';
end
end
