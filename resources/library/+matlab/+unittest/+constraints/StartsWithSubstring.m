function constraint = StartsWithSubstring(start, options)
% A text with this beginning.
arguments
    start
    options.IgnoringCase (1,1) logical = false
end
constraint = matlab.unittest.internal.Check( ...
    @(x) startsWith(x, start, 'IgnoreCase', options.IgnoringCase), ...
    @(x) sprintf('''%s'' does not begin with ''%s''.', x, start));
end
