function t = grownTree(X, Y, p)
% A tree grown layer by layer: each node is cut where the impurity falls most, halfway between neighbours.
% Y has the weight of each class in a row, or for numbers the weights w, w*y and w*y^2.
[n, m] = size(X);
number = strcmp(p.Criterion, 'mse');
t = struct('CutPredictorIndex', 0, 'CutPoint', NaN, 'Children', [0 0], 'Parent', 0, 'NodeSize', n, ...
    'Sums', sum(Y, 1), 'Leaf', ones(n, 1));
members = {(1:n)'};
splits = 0;
whole = impurity(t.Sums, p.Criterion);
node = 1;
while node <= numel(t.CutPoint)
    rows = members{node};
    own = impurity(t.Sums(node, :), p.Criterion);
    if numel(rows) >= p.MinParent && splits < p.MaxSplits && own > max(p.Tolerance*whole*number, 1e-14*max(whole, 1))
        tried = 1:m;
        if p.Sampled < m, tried = sort(randperm(m, p.Sampled)); end
        [j, at] = bestCut(X(rows, :), Y(rows, :), tried, own, p);
        if j > 0
            left = X(rows, j) < at;
            unknown = isnan(X(rows, j));
            made = numel(t.CutPoint) + [1 2];
            t.CutPredictorIndex(node, 1) = j;
            t.CutPoint(node, 1) = at;
            t.Children(node, :) = made;
            for side = 1:2
                if side == 1, mine = rows(left); else, mine = rows(~left & ~unknown); end
                k = made(side);
                [t.CutPredictorIndex(k, 1), t.CutPoint(k, 1), t.Children(k, :)] = deal(0, NaN, [0 0]);
                [t.Parent(k, 1), t.NodeSize(k, 1), t.Sums(k, :)] = deal(node, numel(mine), sum(Y(mine, :), 1));
                t.Leaf(mine) = k;
                members{k} = mine;
            end
            splits = splits + 1;
        end
    end
    node = node + 1;
end
t.Impurity = impurity(t.Sums, p.Criterion);
if p.Merge, t = merged(t, number); end
end

function v = impurity(S, criterion)
w = sum(S, 2);
switch criterion
    case 'mse'
        v = max(S(:, 3)./S(:, 1) - (S(:, 2)./S(:, 1)).^2, 0);
    case 'deviance'
        q = S./w;
        v = -sum(q.*log2(max(q, realmin)), 2);
    otherwise
        v = 1 - sum((S./w).^2, 2);
end
v(w == 0) = 0;
end

function [best, at] = bestCut(X, Y, tried, own, p)
[best, at, most] = deal(0, NaN, 1e-12*max(own, 1e-12));
total = sum(Y, 1);
for j = tried
    [x, order] = sort(X(:, j));
    known = nnz(~isnan(x));
    if known < 2, continue, end
    y = cumsum(Y(order(1:known), :), 1);
    all = y(end, :);
    k = (p.MinLeaf:known - p.MinLeaf)';
    k = k(x(k + 1) > x(k));
    if isempty(k), continue, end
    left = y(k, :);
    right = all - left;
    if strcmp(p.Criterion, 'mse')
        gain = left(:, 2).^2./left(:, 1) + right(:, 2).^2./right(:, 1) - all(2)^2/all(1);
        gain = gain/total(1);
    elseif strcmp(p.Criterion, 'twoing')
        [a, b] = deal(sum(left, 2), sum(right, 2));
        gain = a.*b/sum(all)^2.*sum(abs(left./a - right./b), 2).^2;
    else
        a = sum(left, 2)/sum(all);
        gain = impurity(all, p.Criterion) - a.*impurity(left, p.Criterion) - (1 - a).*impurity(right, p.Criterion);
    end
    gain = gain*(known/size(X, 1));
    [found, place] = max(gain);
    if found > most*(1 + 1e-10)
        [most, best] = deal(found, j);
        at = x(k(place))/2 + x(k(place) + 1)/2;
    end
end
end

function t = merged(t, number)
% Leaves of one parent that together are no better than it are taken back.
if number
    risk = t.Sums(:, 1).*t.Impurity;
else
    risk = sum(t.Sums, 2) - max(t.Sums, [], 2);
end
gone = false(numel(t.CutPoint), 1);
for k = numel(t.CutPoint):-1:1
    c = t.Children(k, :);
    if c(1) && all(t.CutPredictorIndex(c) == 0) && sum(risk(c)) >= risk(k)*(1 - 1e-12) - 1e-15
        gone(c) = true;
        t.Leaf(ismember(t.Leaf, c)) = k;
        [t.CutPredictorIndex(k), t.CutPoint(k), t.Children(k, :)] = deal(0, NaN, [0 0]);
    end
end
number = cumsum(~gone);
keep = find(~gone);
for name = {'CutPredictorIndex', 'CutPoint', 'Parent', 'NodeSize', 'Sums', 'Impurity', 'Children'}
    t.(name{1}) = t.(name{1})(keep, :);
end
inner = t.Children > 0;
t.Children(inner) = number(t.Children(inner));
t.Parent(t.Parent > 0) = number(t.Parent(t.Parent > 0));
t.Leaf = number(t.Leaf);
end
