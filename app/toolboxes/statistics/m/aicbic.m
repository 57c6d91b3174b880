function [aic, bic] = aicbic(logL, numParam, numObs)
% [aic, bic] = aicbic(logL, numParam, numObs): the information criteria of Akaike, -2 logL + 2 k, and of Bayes, -2 logL + k log(n), for each model.
aic = -2*logL + 2*numParam;
if nargin > 2
    bic = -2*logL + numParam.*log(numObs);
elseif nargout > 1
    error('econ:aicbic:numObs', 'The Bayesian criterion needs the number of observations.');
end
end
