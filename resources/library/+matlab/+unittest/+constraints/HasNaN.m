function constraint = HasNaN()
% At least one element is NaN.
constraint = matlab.unittest.internal.Check(@(x) any(isnan(x), 'all'), ...
    'No element is NaN.');
end
