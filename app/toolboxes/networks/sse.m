function perf = sse(varargin)
% perf = sse(e), sse(net, t, y): the sum of squares of errors, or of targets t and outputs y: matrices, or cells of them. NaN is left out. Weights of
%   errors and regularization are refused.
perf = sum(known_errors('sse', varargin).^2);
end
