function m = fitctree(varargin)
% m = fitctree(X, Y, ...) or fitctree(tbl, response, ...): a decision tree for classes. predict(m, X), view(m), crossval(m),
%   predictorImportance(m). Options: SplitCriterion, MinLeafSize, MinParentSize, MaxNumSplits, MergeLeaves,
%   NumVariablesToSample, Weights, PredictorNames, ResponseName, and CrossVal, KFold, Holdout, Leaveout, CVPartition.
m = fitted(ClassificationTree(varargin), varargin);
end
