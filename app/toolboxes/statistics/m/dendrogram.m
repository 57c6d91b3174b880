function [h, t, order] = dendrogram(tree, varargin)
% [h, t, order] = dendrogram(tree, p): draws a tree of linkage with at most p (30) leaves (0: all).
%   Options: 'ColorThreshold' (a height, or 'default': 0.7 of the highest; groups that join below
%   it have a colour each), 'Labels' (of all observations), 'Orientation' (top, bottom, left, right), 'Reorder' (a
%   permutation of the leaves), 'CheckCrossing' (true: warn where that makes branches cross).
p = 30;
rest = varargin;
if ~isempty(rest) && isnumeric(rest{1})
    p = rest{1};
    rest(1) = [];
end
o = inputParser;
o.FunctionName = 'dendrogram';
addParameter(o, 'ColorThreshold', []);
addParameter(o, 'Labels', {});
addParameter(o, 'Orientation', 'top');
addParameter(o, 'Reorder', []);
addParameter(o, 'CheckCrossing', true);
parse(o, rest{:});
sides = {'top', 'bottom', 'left', 'right'};
orientation = validatestring(o.Results.Orientation, sides, 'dendrogram');
n = size(tree, 1) + 1;
t = (1:n)';
if p > 0 && n > p
    t = cluster(tree, 'maxclust', p);
    [tree, t] = upper_tree(tree, t, p);
    n = p;
end
order = leaves(tree, 2*n - 1, n);
if ~isempty(o.Results.Reorder)
    if ~isequal(sort(o.Results.Reorder(:)'), 1:n)
        error('stats:dendrogram:BadReorder', 'Reorder must be a permutation of the %d leaves.', n);
    end
    order = o.Results.Reorder(:)';
end
colours = branch_colours(tree, o.Results.ColorThreshold);
[h, crosses] = draw_branches(tree, order, colours, any(strcmp(orientation, {'left', 'right'})));
if crosses && o.Results.CheckCrossing
    warning('stats:dendrogram:CrossingBranches', 'Branches of the tree cross in this order.');
end
names = arrayfun(@num2str, order, 'UniformOutput', false);
if ~isempty(o.Results.Labels), names = with_labels(names, cellstr(o.Results.Labels), order, t); end
show_leaves(orientation, n, names);
end

function names = with_labels(names, labels, order, t)
% Labels of the leaves that hold one observation; the others keep their numbers.
if numel(labels) ~= numel(t)
    error('stats:dendrogram:BadLabels', 'Labels must name each of the %d observations.', numel(t));
end
for k = 1:numel(order)
    members = find(t == order(k));
    if isscalar(members), names{k} = labels{members}; end
end
end

function show_leaves(orientation, n, names)
switch orientation
    case {'top', 'bottom'}
        set(gca, 'XTick', 1:n, 'XTickLabel', names, 'XLim', [0.5 n + 0.5]);
        if strcmp(orientation, 'bottom'), set(gca, 'YDir', 'reverse', 'XAxisLocation', 'top'); end
    otherwise
        set(gca, 'YTick', 1:n, 'YTickLabel', names, 'YLim', [0.5 n + 0.5]);
        if strcmp(orientation, 'left'), set(gca, 'XDir', 'reverse', 'YAxisLocation', 'right'); end
end
end

function [h, crosses] = draw_branches(tree, order, colours, lying)
n = size(tree, 1) + 1;
x(order) = 1:n;
y = zeros(1, n);
first = x;
last = x;
h = gobjects(n - 1, 1);
crosses = false;
held = ishold;
for k = 1:n - 1
    [a, b] = deal(tree(k, 1), tree(k, 2));
    along = [x(a) x(a) x(b) x(b)];
    up = [y(a) tree(k, 3) tree(k, 3) y(b)];
    if lying, [along, up] = deal(up, along); end
    h(k) = plot(along, up, 'Color', colours(k, :));
    hold on
    crosses = crosses || (first(a) < last(b) && first(b) < last(a));
    first(n + k) = min(first([a b]));
    last(n + k) = max(last([a b]));
    x(n + k) = (x(a) + x(b))/2;
    y(n + k) = tree(k, 3);
end
if ~held, hold off, end
end

function colours = branch_colours(tree, threshold)
% Blue; with a threshold black above it and a colour for every group of branches below.
n = size(tree, 1) + 1;
colours = repmat([0 0 1], n - 1, 1);
if isempty(threshold), return, end
if ischar(threshold) || isstring(threshold)
    validatestring(threshold, {'default'}, 'dendrogram');
    threshold = 0.7*max(tree(:, 3));
end
group = zeros(1, 2*n - 1);
below = tree(:, 3) < threshold;
for k = n - 1:-1:1
    if ~below(k), continue, end
    if group(n + k) == 0, group(n + k) = max(group) + 1; end
    group(tree(k, 1:2)) = group(n + k);
end
palette = hsv(max(1, max(group)));
colours(~below, :) = 0;
colours(below, :) = palette(group(n + find(below)), :);
end

function order = leaves(tree, node, n)
order = [];
todo = node;
while ~isempty(todo)
    k = todo(end);
    todo(end) = [];
    if k <= n, order(end + 1) = k; else, todo = [todo tree(k - n, 2) tree(k - n, 1)]; end
end
end

function [small, t] = upper_tree(tree, t, p)
% The p - 1 highest joins, with clusters numbered as their leaves.
n = size(tree, 1) + 1;
name = zeros(1, 2*n - 1);
name(1:n) = t;
for k = 1:n - p, name(n + k) = name(tree(k, 1)); end
small = zeros(p - 1, 3);
for k = 1:p - 1
    row = tree(n - p + k, :);
    small(k, :) = [sort(name(row(1:2))) row(3)];
    name(2*n - p + k) = p + k;
end
end
