function m = fitcnb(varargin)
% m = fitcnb(X, Y, ...) or fitcnb(tbl, response, ...): a naive Bayes classifier. predict(m, X) gives classes and posteriors.
%   Options: DistributionNames (normal, kernel, mvmn, mn), Width, ClassNames, Prior, Cost, Weights, PredictorNames,
%   ResponseName, and CrossVal, KFold, Holdout, Leaveout, CVPartition.
m = fitted(ClassificationNaiveBayes(varargin), varargin);
end
