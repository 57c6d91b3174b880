function constraint = ContainsSubstring(part, options)
% A text with this part.
arguments
    part
    options.IgnoringCase (1,1) logical = false
end
constraint = matlab.unittest.internal.Check( ...
    @(x) contains(x, part, 'IgnoreCase', options.IgnoringCase), ...
    @(x) sprintf('''%s'' does not contain ''%s''.', x, part));
end
