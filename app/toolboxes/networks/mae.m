function perf = mae(varargin)
% perf = mae(e), mae(net, t, y): the mean size of errors, or of targets t and outputs y: matrices, or cells of them. NaN is left out. Weights of
%   errors and regularization are refused.
if nargin == 1
    e = varargin{1};
elseif nargin == 3
    [t, y] = deal(varargin{2:3});
    if iscell(t), e = cellfun(@minus, t, y, 'UniformOutput', false); else, e = t - y; end
else
    error('nnet:mae:unsupportedInputs', 'mae takes errors, or a network, targets and outputs.');
end
if iscell(e), e = cell2mat(cellfun(@(m) m(:), e(:), 'UniformOutput', false)); end
e = e(:);
known = ~isnan(e);
perf = mean(abs(e(known)));
end
