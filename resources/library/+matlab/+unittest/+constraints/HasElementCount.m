function constraint = HasElementCount(expected)
% Of so many elements.
constraint = matlab.unittest.internal.Check(@(x) numel(x) == expected, ...
    @(x) sprintf('There are %d elements instead of %d.', numel(x), expected));
end
