function [train, val, test] = divideind(count, train, val, test)
% [train, val, test] = divideind(count, trainInd, valInd, testInd): the given indices, of those that are at most count.
groups = {1:count, [], []};
if nargin > 1, groups{1} = train; end
if nargin > 2, groups{2} = val; end
if nargin > 3, groups{3} = test; end
[train, val, test] = deal(groups{1}(groups{1} <= count), groups{2}(groups{2} <= count), groups{3}(groups{3} <= count));
end
