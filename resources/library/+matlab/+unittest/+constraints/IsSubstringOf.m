function constraint = IsSubstringOf(whole, options)
% A text that is a part of this one.
arguments
    whole
    options.IgnoringCase (1,1) logical = false
end
constraint = matlab.unittest.internal.Check( ...
    @(x) contains(whole, x, 'IgnoreCase', options.IgnoringCase), ...
    @(x) sprintf('''%s'' is no part of ''%s''.', x, whole));
end
