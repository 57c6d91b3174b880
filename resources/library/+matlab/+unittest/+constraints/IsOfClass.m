function constraint = IsOfClass(expected)
% Of exactly this class.
name = matlab.unittest.internal.classname(expected);
constraint = matlab.unittest.internal.Check(@(x) strcmp(class(x), name), ...
    @(x) sprintf('The class is %s instead of %s.', class(x), name));
end
