function constraint = IsFalse()
% A false scalar.
constraint = matlab.unittest.internal.Check(@(x) islogical(x) && isscalar(x) && ~x, ...
    'The value is not a false scalar.');
end
