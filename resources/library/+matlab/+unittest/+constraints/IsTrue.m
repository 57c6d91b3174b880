function constraint = IsTrue()
% A true scalar.
constraint = matlab.unittest.internal.Check(@(x) islogical(x) && isscalar(x) && x, ...
    'The value is not a true scalar.');
end
