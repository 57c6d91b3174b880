function m = fitrtree(varargin)
% m = fitrtree(X, Y, ...) or fitrtree(tbl, response, ...): a decision tree for numbers. predict(m, X), view(m), crossval(m),
%   predictorImportance(m). Options: SplitCriterion, MinLeafSize, MinParentSize, MaxNumSplits, MergeLeaves,
%   NumVariablesToSample, Weights, PredictorNames, ResponseName, and CrossVal, KFold, Holdout, Leaveout, CVPartition.
m = fitted(RegressionTree(varargin), varargin);
end
