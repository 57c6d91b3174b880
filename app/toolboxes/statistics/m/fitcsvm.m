function m = fitcsvm(varargin)
% m = fitcsvm(X, Y, ...) or fitcsvm(tbl, response, ...): a support vector machine for two classes. predict(m, X).
%   Options: KernelFunction (linear, gaussian or rbf, polynomial, the name of a function), KernelScale, PolynomialOrder,
%   BoxConstraint, Standardize, KKTTolerance, IterationLimit, ClassNames, Prior, Weights, PredictorNames, ResponseName,
%   and CrossVal, KFold, Holdout, Leaveout, CVPartition. KernelScale 'auto' is the median distance of the rows.
m = fitted(ClassificationSVM(varargin), varargin);
end
