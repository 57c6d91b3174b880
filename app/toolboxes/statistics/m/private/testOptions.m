function o = testOptions(name, given, order)
% o = testOptions(name, given, order): the options of a test of means or variances, by their names, or by
%   their order where the first of them is no text.
o = struct('Alpha', 0.05, 'Tail', 'both', 'Vartype', 'equal', 'Dim', []);
if ~isempty(given) && ~(ischar(given{1}) || isstring(given{1}))
    if numel(given) > numel(order), error('MATLAB:TooManyInputs', 'Too many input arguments.'); end
    for k = find(~cellfun(@isempty, given))
        o.(order{k}) = given{k};
    end
else
    parser = inputParser;
    parser.FunctionName = name;
    for k = 1:numel(order)
        addParameter(parser, order{k}, o.(order{k}));
    end
    parse(parser, given{:});
    for k = 1:numel(order)
        o.(order{k}) = parser.Results.(order{k});
    end
end
if ~isscalar(o.Alpha) || ~isnumeric(o.Alpha) || ~(o.Alpha > 0 && o.Alpha < 1)
    error("stats:" + name + ":BadAlpha", 'ALPHA must be a number between 0 and 1.');
end
if isnumeric(o.Tail) && isscalar(o.Tail) && any(o.Tail == [-1 0 1])
    words = {'left', 'both', 'right'};
    o.Tail = words{o.Tail + 2};
end
words = {'both', 'right', 'left'};
at = find(strncmpi(o.Tail, words, strlength(o.Tail)));
if ~isscalar(at)
    error("stats:" + name + ":BadTail", 'TAIL must be ''both'', ''right'' or ''left''.');
end
o.Tail = words{at};
o.Vartype = validatestring(o.Vartype, {'equal', 'unequal'}, name, 'Vartype');
end
