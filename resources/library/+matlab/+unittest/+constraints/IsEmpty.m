function constraint = IsEmpty()
% Without elements.
constraint = matlab.unittest.internal.Check(@isempty, ...
    'The value is not empty.');
end
