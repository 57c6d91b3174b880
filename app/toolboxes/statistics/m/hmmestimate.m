function [tr, em] = hmmestimate(seq, states, varargin)
% [tr, em] = hmmestimate(seq, states): the chances of steps and of symbols, counted. Options: 'Symbols',
%   'Statenames', 'Pseudotransitions', 'Pseudoemissions'.
o = inputParser;
o.FunctionName = 'hmmestimate';
addParameter(o, 'Symbols', []);
addParameter(o, 'Statenames', []);
addParameter(o, 'Pseudotransitions', 0);
addParameter(o, 'Pseudoemissions', 0);
parse(o, varargin{:});
seq = hmm_numbers(seq, o.Results.Symbols);
states = hmm_numbers(states, o.Results.Statenames);
n = max([max(states), numel(o.Results.Statenames), size(o.Results.Pseudotransitions, 1)]);
m = max([max(seq), numel(o.Results.Symbols), size(o.Results.Pseudoemissions, 2)]);
tr = accumarray([states(1:end - 1)' states(2:end)'], 1, [n n]) + o.Results.Pseudotransitions;
em = accumarray([states(:) seq(:)], 1, [n m]) + o.Results.Pseudoemissions;
tr = tr./max(sum(tr, 2), realmin);
em = em./max(sum(em, 2), realmin);
end
