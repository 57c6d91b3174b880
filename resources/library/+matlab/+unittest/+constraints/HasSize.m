function constraint = HasSize(expected)
% Of this size.
constraint = matlab.unittest.internal.Check(@(x) isequal(size(x), expected), ...
    @(x) sprintf('The size is [%s] instead of [%s].', num2str(size(x)), num2str(expected)));
end
