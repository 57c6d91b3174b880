function constraint = IsSameSetAs(expected)
% The elements of the set, in any order and number.
constraint = matlab.unittest.internal.Check(@(x) all(ismember(x, expected), 'all') && all(ismember(expected, x), 'all'), ...
    'The elements are not those of the set.');
end
