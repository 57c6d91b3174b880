function constraint = ReturnsTrue()
% A function that returns true.
constraint = matlab.unittest.internal.Check(@(action) isequal(action(), true), ...
    'The function does not return true.');
end
