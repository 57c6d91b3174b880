function constraint = HasInf()
% At least one element is infinite.
constraint = matlab.unittest.internal.Check(@(x) any(isinf(x), 'all'), ...
    'No element is infinite.');
end
