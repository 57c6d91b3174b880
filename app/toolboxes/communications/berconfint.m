function [ber, interval] = berconfint(nerrs, ntrials, level)
% [ber, interval] = berconfint(nerrs, ntrials), berconfint(nerrs, ntrials, level): the share of errors and its confidence interval (0.95).
if nargin < 3, level = 0.95; end
[ber, interval] = binofit(nerrs, ntrials, 1 - level);
end
