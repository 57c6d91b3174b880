function constraint = IsAnything()
% Any value.
constraint = matlab.unittest.internal.Check(@(x) true, ...
    '');
end
