function [dist, ix, iy] = dtw(x, y, varargin)
% [dist, ix, iy] = dtw(x, y, maxsamp, metric): the least sum of distances of two signals whose samples may be
%   repeated, and the positions that belong together. Metrics: euclidean, absolute, squared, symmkl.
metric = 'euclidean';
most = Inf;
for k = 1:numel(varargin)
    if ischar(varargin{k}) || isstring(varargin{k})
        metric = validatestring(varargin{k}, {'euclidean', 'absolute', 'squared', 'symmkl'}, 'dtw');
    else
        most = varargin{k};
    end
end
if iscolumn(x), x = x.'; end
if iscolumn(y), y = y.'; end
[n, m] = deal(size(x, 2), size(y, 2));
most = max(most, abs(n - m));
d = Inf(n + 1, m + 1);
d(1, 1) = 0;
for i = 1:n
    js = max(1, i - most):min(m, i + most);
    cost = distances_of(x(:, i), y(:, js), metric);
    for k = 1:numel(js)
        j = js(k);
        d(i + 1, j + 1) = cost(k) + min([d(i, j), d(i, j + 1), d(i + 1, j)]);
    end
end
dist = d(n + 1, m + 1);
[ix, iy] = deal(n, m);
while ix(1) > 1 || iy(1) > 1
    [~, way] = min([d(ix(1), iy(1)), d(ix(1), iy(1) + 1), d(ix(1) + 1, iy(1))]);
    ix = [ix(1) - (way < 3), ix];
    iy = [iy(1) - (way ~= 2), iy];
end
end

function c = distances_of(a, b, metric)
switch metric
    case 'euclidean', c = sqrt(sum(abs(a - b).^2, 1));
    case 'absolute', c = sum(abs(a - b), 1);
    case 'squared', c = sum(abs(a - b).^2, 1);
    case 'symmkl', c = sum((a - b).*(log(a) - log(b)), 1);
end
end
