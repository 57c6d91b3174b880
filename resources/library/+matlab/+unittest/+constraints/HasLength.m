function constraint = HasLength(expected)
% Of this length.
constraint = matlab.unittest.internal.Check(@(x) length(x) == expected, ...
    @(x) sprintf('The length is %d instead of %d.', length(x), expected));
end
