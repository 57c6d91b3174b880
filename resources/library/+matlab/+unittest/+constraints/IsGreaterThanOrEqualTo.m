function constraint = IsGreaterThanOrEqualTo(floor)
% No element is smaller.
constraint = matlab.unittest.internal.Check(@(x) all(x >= floor, 'all'), ...
    @(x) matlab.unittest.internal.contrast(x, 'smaller than', floor));
end
