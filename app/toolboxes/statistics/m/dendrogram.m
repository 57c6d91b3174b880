function [h, t, order] = dendrogram(tree, varargin)
% [h, t, order] = dendrogram(tree, p): draws a tree of linkage with at most p (30) leaves (0: all).
%   Options: 'ColorThreshold', 'Labels', 'Orientation' (top, bottom).
p = 30;
rest = varargin;
if ~isempty(rest) && isnumeric(rest{1})
    p = rest{1};
    rest(1) = [];
end
o = inputParser;
o.FunctionName = 'dendrogram';
addParameter(o, 'Labels', {});
addParameter(o, 'Orientation', 'top');
parse(o, rest{:});
orientation = validatestring(o.Results.Orientation, {'top', 'bottom'}, 'dendrogram');
n = size(tree, 1) + 1;
t = (1:n)';
if p > 0 && n > p
    t = cluster(tree, 'maxclust', p);
    [tree, t] = upper_tree(tree, t, p);
    n = p;
end
order = leaves(tree, 2*n - 1, n);
x(order) = 1:n;
y = zeros(1, n);
h = gobjects(n - 1, 1);
held = ishold;
for k = 1:n - 1
    [a, b] = deal(tree(k, 1), tree(k, 2));
    h(k) = plot([x(a) x(a) x(b) x(b)], [y(a) tree(k, 3) tree(k, 3) y(b)], 'b');
    hold on
    x(n + k) = (x(a) + x(b))/2;
    y(n + k) = tree(k, 3);
end
if ~held, hold off, end
names = arrayfun(@num2str, order, 'UniformOutput', false);
if ~isempty(o.Results.Labels) && n == size(tree, 1) + 1 && numel(cellstr(o.Results.Labels)) == n
    names = cellstr(o.Results.Labels);
    names = names(order);
end
set(gca, 'XTick', 1:n, 'XTickLabel', names, 'XLim', [0.5 n + 0.5]);
if strcmp(orientation, 'bottom'), set(gca, 'YDir', 'reverse'); end
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
