function rgb = validatecolor(colors, count)
% rgb = validatecolor(colors): a color as red, green and blue between 0 and 1.
%   rgb = validatecolor(colors, 'multiple'): several colors, one a row.
if nargin < 2
    count = 'one';
end
count = validatestring(count, {'one', 'multiple'}, 'validatecolor', 'size');
if isnumeric(colors)
    whole = isa(colors, 'integer');
    rgb = double(colors);
    if whole
        rgb = rgb/double(intmax(class(colors)));
    end
    if size(rgb, 2) ~= 3 || any(~(rgb(:) >= 0 & rgb(:) <= 1)) || ~ismatrix(rgb)
        error('MATLAB:graphics:validatecolor:InvalidRGB', ...
            'RGB triplets must have three values between 0 and 1.');
    end
else
    names = cellstr(colors);
    rgb = zeros(numel(names), 3);
    for k = 1:numel(names)
        rgb(k, :) = named(names{k});
    end
end
if strcmp(count, 'one') && size(rgb, 1) ~= 1
    error('MATLAB:graphics:validatecolor:SingleColor', ...
        'One color is expected; use ''multiple'' for several.');
end
end

function rgb = named(name)
short = struct('r', [1 0 0], 'g', [0 1 0], 'b', [0 0 1], 'c', [0 1 1], 'm', [1 0 1], ...
    'y', [1 1 0], 'k', [0 0 0], 'w', [1 1 1]);
long = {'red', 'green', 'blue', 'cyan', 'magenta', 'yellow', 'black', 'white'};
letters = 'rgbcmykw';
name = strtrim(lower(name));
at = find(strcmp(name, long), 1);
if ~isempty(at)
    name = letters(at);
end
if isfield(short, name)
    rgb = short.(name);
elseif ~isempty(regexp(name, '^#([0-9a-f]{3}|[0-9a-f]{6})$', 'once'))
    digits = name(2:end);
    if numel(digits) == 3
        digits = digits([1 1 2 2 3 3]);
    end
    rgb = hex2dec(reshape(digits, 2, 3)')'/255;
else
    error('MATLAB:graphics:validatecolor:InvalidColorString', ...
        '''%s'' is no color: use a name, a letter, ''#RRGGBB'' or an RGB triplet.', name);
end
end
