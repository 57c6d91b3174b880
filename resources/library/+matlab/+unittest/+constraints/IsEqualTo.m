function constraint = IsEqualTo(expected, options)
% Equal to a value, in class and size too: IsEqualTo(x), IsEqualTo(x, 'Within', tolerance).
%   IgnoringCase and IgnoringWhitespace compare texts, IgnoringFields leaves fields of structs out.
arguments
    expected
    options.Within = matlab.unittest.internal.Tolerance('AbsTol', [])
    options.IgnoringCase (1,1) logical = false
    options.IgnoringWhitespace (1,1) logical = false
    options.IgnoringFields = {}
end
tolerance = options.Within.Options;
seen = @(value) seenAs(value, options);
compare = @(x) matlab.unittest.internal.compare(seen(x), seen(expected), tolerance{:});
constraint = matlab.unittest.internal.Check(@(x) isempty(compare(x)), compare);
end

function value = seenAs(value, options)
% A value without what does not count.
if isstruct(value)
    value = rmfield(value, intersect(fieldnames(value), cellstr(options.IgnoringFields)));
elseif ischar(value) || isstring(value) || iscellstr(value)
    if options.IgnoringWhitespace
        value = regexprep(value, '\s', '');
    end
    if options.IgnoringCase
        value = lower(value);
    end
end
end
