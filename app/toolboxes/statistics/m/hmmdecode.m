function [p, logp, forward, backward, scale] = hmmdecode(seq, tr, em, varargin)
% [p, logp, forward, backward, scale] = hmmdecode(seq, tr, em): the chance of each state at each step of a
%   sequence, and the logarithm of the sequence's own. Option: 'Symbols'.
symbols = hmm_options('hmmdecode', varargin);
seq = [size(em, 2) + 1, hmm_numbers(seq, symbols)];
n = size(tr, 1);
len = numel(seq);
forward = zeros(n, len);
forward(1, 1) = 1;
scale = ones(1, len);
for k = 2:len
    forward(:, k) = em(:, seq(k)).*(tr'*forward(:, k - 1));
    scale(k) = sum(forward(:, k));
    forward(:, k) = forward(:, k)/scale(k);
end
backward = ones(n, len);
for k = len - 1:-1:1
    backward(:, k) = tr*(backward(:, k + 1).*em(:, seq(k + 1)))/scale(k + 1);
end
logp = sum(log(scale));
p = forward.*backward;
p(:, 1) = [];
end
