function constraint = IsReal()
% Without an imaginary part.
constraint = matlab.unittest.internal.Check(@isreal, ...
    'The value is complex.');
end
