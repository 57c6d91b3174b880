function [code, state] = convenc(msg, trellis, varargin)
% [code, state] = convenc(msg, trellis, puncture, state): bits encoded by a trellis of poly2trellis; only bits of
%   the code where the pattern puncture is 1 are kept. state (0): where the encoder begins.
[puncture, state] = deal([], 0);
for k = 1:numel(varargin)
    if isscalar(varargin{k}), state = varargin{k}; else, puncture = varargin{k}; end
end
k = log2(trellis.numInputSymbols);
n = log2(trellis.numOutputSymbols);
if mod(numel(msg), k), error('comm:convenc:InvalidMsg', 'The number of bits must be a multiple of %d.', k); end
outputs = oct2dec(trellis.outputs);
steps = numel(msg)/k;
inputs = 2.^(k - 1:-1:0)*reshape(double(msg), k, []);
code = zeros(n, steps);
for s = 1:steps
    code(:, s) = mod(floor(outputs(state + 1, inputs(s) + 1)./2.^(n - 1:-1:0)'), 2);
    state = trellis.nextStates(state + 1, inputs(s) + 1);
end
code = code(:);
if ~isempty(puncture)
    pattern = repmat(puncture(:), ceil(numel(code)/numel(puncture)), 1) > 0;
    code = code(pattern(1:numel(code)));
end
if isrow(msg), code = code'; end
end
