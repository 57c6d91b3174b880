function [tr, em, logliks] = hmmtrain(seqs, tr, em, varargin)
% [tr, em, logliks] = hmmtrain(seqs, tr, em): Baum and Welch's estimate from guesses; sequences in rows or a cell.
%   Options: 'Algorithm' (BaumWelch), 'Symbols', 'Tolerance' (1e-6), 'Maxiterations' (500), 'Verbose'.
o = inputParser;
o.FunctionName = 'hmmtrain';
addParameter(o, 'Algorithm', 'BaumWelch');
addParameter(o, 'Symbols', []);
addParameter(o, 'Tolerance', 1e-6);
addParameter(o, 'Maxiterations', 500);
addParameter(o, 'Verbose', false);
parse(o, varargin{:});
validatestring(o.Results.Algorithm, {'BaumWelch'}, 'hmmtrain');
if ~iscell(seqs), seqs = num2cell(seqs, 2); end
tol = o.Results.Tolerance;
logliks = [];
before = 1;
for turn = 1:o.Results.Maxiterations
    [t, e, loglik] = deal(zeros(size(tr)), zeros(size(em)), 0);
    for s = 1:numel(seqs)
        seq = hmm_numbers(seqs{s}, o.Results.Symbols);
        [~, logp, f, b, scale] = hmmdecode(seq, tr, em);
        loglik = loglik + logp;
        for k = 1:numel(seq)
            t = t + f(:, k).*tr.*(em(:, seq(k)).*b(:, k + 1))'/scale(k + 1);
            e(:, seq(k)) = e(:, seq(k)) + f(:, k + 1).*b(:, k + 1);
        end
    end
    [old_tr, old_em] = deal(tr, em);
    tr = t./max(sum(t, 2), realmin);
    em = e./max(sum(e, 2), realmin);
    logliks(turn) = loglik;
    if o.Results.Verbose, fprintf('%d: %g\n', turn, loglik); end
    if abs(loglik - before)/(1 + abs(before)) < tol && norm(tr - old_tr, Inf)/size(tr, 1) < tol && ...
            norm(em - old_em, Inf)/size(em, 2) < tol
        return
    end
    before = loglik;
end
warning('stats:hmmtrain:NoConvergence', 'hmmtrain did not converge in %d iterations.', o.Results.Maxiterations);
end
