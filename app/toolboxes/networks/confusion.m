function [c, cm, ind, per] = confusion(targets, outputs)
% [c, cm, ind, per] = confusion(targets, outputs): the share of wrong columns, the counts of classes (rows: targets),
%   the columns behind each count, and rates of wrong and right ones.
if size(targets, 1) == 1
    targets = [targets; 1 - targets];
    outputs = [outputs; 1 - outputs];
end
n = size(targets, 1);
[~, t] = max(targets, [], 1);
[~, o] = max(outputs, [], 1);
cm = accumarray([t(:) o(:)], 1, [n n]);
c = 1 - trace(cm)/numel(t);
ind = cell(n);
for i = 1:n
    for j = 1:n, ind{i, j} = find(t == i & o == j); end
end
total = numel(t);
per = zeros(n, 4);
for i = 1:n
    tp = cm(i, i);
    fn = sum(cm(i, :)) - tp;
    fp = sum(cm(:, i)) - tp;
    tn = total - tp - fn - fp;
    per(i, :) = [fn/(fn + tn), fp/(fp + tp), tp/(tp + fp), tn/(tn + fn)];
end
per(isnan(per)) = 0;
end
