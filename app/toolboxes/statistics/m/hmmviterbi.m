function [states, logp] = hmmviterbi(seq, tr, em, varargin)
% [states, logp] = hmmviterbi(seq, tr, em): the most probable path of a hidden Markov model that begins in state
%   1 before the sequence. Options: 'Symbols', 'Statenames'.
[symbols, names] = hmm_options('hmmviterbi', varargin);
seq = hmm_numbers(seq, symbols);
n = size(tr, 1);
[tr, em] = deal(log(tr), log(em));
v = [0; -Inf(n - 1, 1)];
from = zeros(n, numel(seq));
for k = 1:numel(seq)
    [best, from(:, k)] = max(v + tr, [], 1);
    v = best' + em(:, seq(k));
end
states = zeros(1, numel(seq));
[logp, states(end)] = max(v);
for k = numel(seq) - 1:-1:1, states(k) = from(states(k + 1), k + 1); end
if ~isempty(names), states = reshape(names(states), 1, []); end
end
