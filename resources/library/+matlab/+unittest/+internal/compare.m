function report = compare(actual, expected, varargin)
% What is different between two values; empty when they are equal within the tolerances.
%   Options: 'AbsTol', a and 'RelTol', r; a text before or without them is shown with a failure.
note = '';
absolute = [];
relative = [];
k = 1;
while k <= numel(varargin)
    if strcmpi(varargin{k}, 'AbsTol')
        absolute = varargin{k + 1};
        k = k + 2;
    elseif strcmpi(varargin{k}, 'RelTol')
        relative = varargin{k + 1};
        k = k + 2;
    else
        note = varargin{k};
        k = k + 1;
    end
end
report = '';
if ~strcmp(class(actual), class(expected))
    report = sprintf('The class is %s instead of %s.', class(actual), class(expected));
elseif ~isequal(size(actual), size(expected))
    report = sprintf('The size is [%s] instead of [%s].', num2str(size(actual)), ...
        num2str(size(expected)));
elseif ~alike(actual, expected) && ~close(actual, expected, absolute, relative)
    report = sprintf('The value is\n%sinstead of\n%s', evalc('disp(actual)'), ...
        evalc('disp(expected)'));
end
report = matlab.unittest.internal.unless(isempty(report), report, note);
end

function yes = alike(actual, expected)
% Whether two values are equal; objects are asked by the isequal of their class.
yes = isequaln(actual, expected);
if ~yes && isobject(actual) && ismethod(actual, 'isequal')
    yes = all(isequal(actual, expected), 'all');
end
end

function yes = close(actual, expected, absolute, relative)
% Whether every element lies within the tolerance that is wider there; cells and structs are
% compared part by part.
yes = false;
if ~strcmp(class(actual), class(expected)) || ~isequal(size(actual), size(expected))
    return
elseif iscell(actual)
    yes = all(cellfun(@(a, e) close(a, e, absolute, relative), actual(:), expected(:)));
elseif isstruct(actual)
    yes = isequal(sort(fieldnames(actual)), sort(fieldnames(expected))) && ...
        close(struct2cell(orderfields(actual)), struct2cell(orderfields(expected)), ...
        absolute, relative);
elseif ~isnumeric(actual) || (isempty(absolute) && isempty(relative))
    yes = alike(actual, expected);
else
    room = zeros(size(expected));
    if ~isempty(absolute)
        room = max(room, double(absolute));
    end
    if ~isempty(relative)
        room = max(room, double(relative) .* abs(double(expected)));
    end
    same = actual == expected | (isnan(actual) & isnan(expected));
    yes = all(reshape(same | abs(double(actual) - double(expected)) <= room, [], 1));
end
end
