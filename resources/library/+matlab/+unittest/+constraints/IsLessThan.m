function constraint = IsLessThan(ceiling)
% Every element is smaller.
constraint = matlab.unittest.internal.Check(@(x) all(x < ceiling, 'all'), ...
    @(x) matlab.unittest.internal.contrast(x, 'not smaller than', ceiling));
end
