function constraint = IsGreaterThan(floor)
% Every element is greater.
constraint = matlab.unittest.internal.Check(@(x) all(x > floor, 'all'), ...
    @(x) matlab.unittest.internal.contrast(x, 'not greater than', floor));
end
