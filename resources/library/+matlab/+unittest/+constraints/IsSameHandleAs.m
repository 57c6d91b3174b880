function constraint = IsSameHandleAs(expected)
% The very objects.
constraint = matlab.unittest.internal.Check(@(x) isequal(size(x), size(expected)) && all(x == expected, 'all'), ...
    'The handles are of different objects.');
end
