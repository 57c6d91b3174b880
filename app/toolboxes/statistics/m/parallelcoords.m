function h = parallelcoords(x, varargin)
% h = parallelcoords(x): each row of x as a line over its columns.
%   Names: Standardize ('on', 'PCA', 'PCAStd'), Quantile, Group, Labels and properties of lines.
[x, options] = comparable_rows('parallelcoords', x, varargin);
made = grouped_curves(1:size(x, 2), x, options);
set(gca, 'XTick', 1:size(x, 2), 'XLim', [1 max(size(x, 2), 2)]);
if ~isempty(options.labels)
    set(gca, 'XTickLabel', options.labels);
end
xlabel('Coordinate'); ylabel('Coordinate Value');
if nargout
    h = made;
end
end
