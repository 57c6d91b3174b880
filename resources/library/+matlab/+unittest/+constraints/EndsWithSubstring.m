function constraint = EndsWithSubstring(ending, options)
% A text with this end.
arguments
    ending
    options.IgnoringCase (1,1) logical = false
end
constraint = matlab.unittest.internal.Check( ...
    @(x) endsWith(x, ending, 'IgnoreCase', options.IgnoringCase), ...
    @(x) sprintf('''%s'' does not end with ''%s''.', x, ending));
end
