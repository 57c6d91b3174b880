function constraint = IssuesNoWarnings()
% A function that issues no warning.
issued = @(action) matlab.unittest.internal.issued(action, 0);
constraint = matlab.unittest.internal.Check(@(action) isempty(issued(action)), ...
    @(action) sprintf('There was a warning: %s.', strjoin(issued(action), ', ')));
end
