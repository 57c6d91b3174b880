function m = fitcecoc(varargin)
% m = fitcecoc(X, Y, ...) or fitcecoc(tbl, response, ...): many classes by binary learners. predict(m, X).
%   Options: Learners ('svm', 'tree', 'knn', 'naivebayes', 'discriminant' or a template), Coding (onevsone, onevsall,
%   ordinal or a matrix), ClassNames, Prior, Weights, PredictorNames, ResponseName, and CrossVal, KFold, Holdout,
%   Leaveout, CVPartition.
m = fitted(ClassificationECOC(varargin), varargin);
end
