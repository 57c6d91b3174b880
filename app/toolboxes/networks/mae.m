function perf = mae(varargin)
% perf = mae(e), mae(net, t, y): the mean size of errors, or of targets t and outputs y: matrices, or cells of them. NaN is left out. Weights of
%   errors and regularization are refused.
perf = mean(abs(known_errors('mae', varargin)));
end
