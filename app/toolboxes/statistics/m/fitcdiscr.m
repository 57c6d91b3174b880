function m = fitcdiscr(varargin)
% m = fitcdiscr(X, Y, ...) or fitcdiscr(tbl, response, ...): discriminant analysis. predict(m, X), m.Coeffs(i, j).
%   Options: DiscrimType (linear, quadratic, diagLinear, diagQuadratic, pseudoLinear, pseudoQuadratic), Gamma,
%   ClassNames, Prior, Cost, Weights, PredictorNames, ResponseName, and CrossVal, KFold, Holdout, Leaveout, CVPartition.
m = fitted(ClassificationDiscriminant(varargin), varargin);
end
