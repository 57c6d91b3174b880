function constraint = IsLessThanOrEqualTo(ceiling)
% No element is greater.
constraint = matlab.unittest.internal.Check(@(x) all(x <= ceiling, 'all'), ...
    @(x) matlab.unittest.internal.contrast(x, 'greater than', ceiling));
end
