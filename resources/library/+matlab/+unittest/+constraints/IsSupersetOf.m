function constraint = IsSupersetOf(expected)
% Every element of the set is there.
constraint = matlab.unittest.internal.Check(@(x) all(ismember(expected, x), 'all'), ...
    'Some elements of the set are missing.');
end
