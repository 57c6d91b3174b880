function constraint = IsSubsetOf(expected)
% Every element is one of the set.
constraint = matlab.unittest.internal.Check(@(x) all(ismember(x, expected), 'all'), ...
    'Some elements are not of the set.');
end
