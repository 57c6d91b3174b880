logical([2 0 -1])
try, logical(NaN), catch, disp('NaN has no truth'), end
logical([])
