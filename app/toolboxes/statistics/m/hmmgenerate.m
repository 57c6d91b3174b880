function [seq, states] = hmmgenerate(len, tr, em, varargin)
% [seq, states] = hmmgenerate(len, tr, em): a random sequence of a hidden Markov model that begins in state 1.
%   Options: 'Symbols', 'Statenames'.
[symbols, names] = hmm_options('hmmgenerate', varargin);
[seq, states] = deal(zeros(1, len));
[tr, em] = deal(cumsum(tr, 2), cumsum(em, 2));
state = 1;
draws = rand(2, len);
for k = 1:len
    state = find(draws(1, k) <= tr(state, :)/tr(state, end), 1);
    states(k) = state;
    seq(k) = find(draws(2, k) <= em(state, :)/em(state, end), 1);
end
if ~isempty(symbols), seq = reshape(symbols(seq), 1, []); end
if ~isempty(names), states = reshape(names(states), 1, []); end
end
