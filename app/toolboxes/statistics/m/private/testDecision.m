function [h, p, ci] = testDecision(score, middle, error, o, dim, below, quantile)
% [h, p, ci] = testDecision(...): whether a hypothesis is rejected, its probability and the bounds around
%   the middle; below is the distribution of the score, quantile its inverse.
switch o.Tail
    case 'both'
        p = 2*below(-abs(score));
        half = quantile(1 - o.Alpha/2).*error;
        ci = cat(dim, middle - half, middle + half);
    case 'right'
        p = below(-score);
        ci = cat(dim, middle - quantile(1 - o.Alpha).*error, Inf(size(p)));
    case 'left'
        p = below(score);
        ci = cat(dim, -Inf(size(p)), middle + quantile(1 - o.Alpha).*error);
end
h = double(p <= o.Alpha);
h(isnan(p)) = NaN;
end
