function constraint = IsFile()
% The name of a file.
constraint = matlab.unittest.internal.Check(@isfile, ...
    @(x) sprintf('There is no file %s.', x));
end
