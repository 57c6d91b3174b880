function constraint = Matches(pattern)
% A text that matches a regular expression.
constraint = matlab.unittest.internal.Check(@(x) ~isempty(regexp(x, pattern, 'once')), ...
    @(x) sprintf('''%s'' does not match ''%s''.', x, pattern));
end
