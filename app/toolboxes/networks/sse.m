function perf = sse(varargin)
% perf = sse(e), sse(net, t, y): the sum of squares of errors, or of targets t and outputs y: matrices, or cells of them. NaN is left out. Weights of
%   errors and regularization are refused.
if nargin == 1
    e = varargin{1};
elseif nargin == 3
    [t, y] = deal(varargin{2:3});
    if iscell(t), e = cellfun(@minus, t, y, 'UniformOutput', false); else, e = t - y; end
else
    error('nnet:sse:unsupportedInputs', 'sse takes errors, or a network, targets and outputs.');
end
if iscell(e), e = cell2mat(cellfun(@(m) m(:), e(:), 'UniformOutput', false)); end
e = e(:);
known = ~isnan(e);
perf = sum(e(known).^2);
end
