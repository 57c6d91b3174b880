function yes = startable(problem, p, which)
% yes = startable(problem, p, which): whether a point is among the StartPointsToRun.
yes = true;
if strcmpi(which, 'all'), return, end
[low, high] = optim.internal.searchbox(problem, Inf);
low(isnan(low)) = -Inf;
high(isnan(high)) = Inf;
yes = all(p >= low & p <= high);
if yes && strcmpi(which, 'bounds-ineqs'), yes = optim.internal.missedby(problem, p, 'ineqs') == 0; end
end
