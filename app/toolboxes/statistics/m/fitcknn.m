function m = fitcknn(varargin)
% m = fitcknn(X, Y, ...) or fitcknn(tbl, response, ...): a classifier by the nearest neighbours. predict(m, X) gives
%   classes, posteriors and expected costs.
%   Options: NumNeighbors, Distance, Exponent, Scale, Cov, DistanceWeight (equal, inverse, squaredinverse or a function),
%   BreakTies (smallest, nearest, random), IncludeTies, Standardize, NSMethod, BucketSize, ClassNames, Prior, Cost,
%   Weights, PredictorNames, ResponseName, and CrossVal, KFold, Holdout, Leaveout, CVPartition.
m = fitted(ClassificationKNN(varargin), varargin);
end
