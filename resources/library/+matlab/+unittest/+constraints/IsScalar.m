function constraint = IsScalar()
% One element.
constraint = matlab.unittest.internal.Check(@isscalar, ...
    @(x) sprintf('The size is [%s].', num2str(size(x))));
end
