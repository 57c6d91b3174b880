function perf = sae(varargin)
% perf = sae(e), sae(net, t, y): the sum of sizes of errors, or of targets t and outputs y: matrices, or cells of them. NaN is left out. Weights of
%   errors and regularization are refused.
perf = sum(abs(known_errors('sae', varargin)));
end
