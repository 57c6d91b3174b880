function constraint = IssuesWarnings(identifiers)
% A function that issues these warnings, and perhaps others.
missing = @(action) setdiff(cellstr(identifiers), matlab.unittest.internal.issued(action, 0));
constraint = matlab.unittest.internal.Check(@(action) isempty(missing(action)), ...
    @(action) sprintf('There was no warning ''%s''.', strjoin(missing(action), ''', ''')));
end
