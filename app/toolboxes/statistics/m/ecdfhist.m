function [n, c] = ecdfhist(f, x, m)
% [n, c] = ecdfhist(f, x, m): a histogram of m (10) bins from an empirical distribution function of ecdf.
if nargin < 3, m = 10; end
steps = diff(f(:));
at = x(2:end);
if isscalar(m)
    edges = linspace(min(at), max(at), m + 1);
    c = edges(1:end - 1) + diff(edges)/2;
else
    c = m(:)';
    edges = [-Inf c(1:end - 1) + diff(c)/2 Inf];
end
place = discretize(at(:), edges);
n = accumarray(place, steps, [numel(c) 1])';
n = n/(c(2) - c(1));
if nargout == 0, bar(c, n, 1); clear n c; end
end
