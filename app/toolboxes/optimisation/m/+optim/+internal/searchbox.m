function [low, high] = searchbox(problem, reach)
% [low, high] = searchbox(problem, reach): bounds of a problem as rows; what has none reaches that far.
n = numel(problem.x0);
[low, high] = deal(-inf(1, n), inf(1, n));
if isfield(problem, 'lb') && ~isempty(problem.lb), low(1:numel(problem.lb)) = problem.lb(:).'; end
if isfield(problem, 'ub') && ~isempty(problem.ub), high(1:numel(problem.ub)) = problem.ub(:).'; end
[open, below, above] = deal(isinf(low) & isinf(high), isinf(low) & isfinite(high), isfinite(low) & isinf(high));
low(open) = -reach;
high(open) = reach;
low(below) = high(below) - 2*reach;
high(above) = low(above) + 2*reach;
end
