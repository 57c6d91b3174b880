function constraint = IsFinite()
% Every element is finite.
constraint = matlab.unittest.internal.Check(@(x) all(isfinite(x), 'all'), ...
    'Some element is NaN or infinite.');
end
