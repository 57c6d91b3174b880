function perf = mse(varargin)
% perf = mse(e), mse(net, t, y): the mean square of errors, or of targets t and outputs y: matrices, or cells of them. NaN is left out. Weights of
%   errors and regularization are refused.
perf = mean(known_errors('mse', varargin).^2);
end
