function constraint = IsInstanceOf(expected)
% Of this class or of one that derives from it.
name = matlab.unittest.internal.classname(expected);
constraint = matlab.unittest.internal.Check(@(x) isa(x, name), ...
    @(x) sprintf('A %s is no %s.', class(x), name));
end
