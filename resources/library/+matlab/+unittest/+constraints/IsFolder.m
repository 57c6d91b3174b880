function constraint = IsFolder()
% The name of a folder.
constraint = matlab.unittest.internal.Check(@isfolder, ...
    @(x) sprintf('There is no folder %s.', x));
end
