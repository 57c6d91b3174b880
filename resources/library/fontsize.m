function fontsize(varargin)
% fontsize(size, units): the font size of everything in the current figure.
%   fontsize(objects, size, units), fontsize(objects, 'increase'), fontsize(objects, 'decrease'),
%   fontsize(objects, 'scale', factor): objects and what they hold.
rest = varargin;
if ~isempty(rest) && all(isgraphics(rest{1}(:))) && ~ischar(rest{1}) && ~isnumeric(rest{1})
    objects = rest{1};
    rest = rest(2:end);
else
    objects = gcf;
end
found = findall(objects, '-property', 'FontSize');
for k = 1:numel(found)
    for name = {'Title', 'XLabel', 'YLabel', 'ZLabel', 'Label'}
        if isprop(found(k), name{1})
            found = [found; get(found(k), name{1})]; %#ok<AGROW>
        end
    end
end
if numel(rest) == 2 && isnumeric(rest{1})
    units = validatestring(rest{2}, {'points', 'inches', 'centimeters', 'pixels', 'normalized'}, ...
        'fontsize', 'units');
    set(found(isprop(found, 'FontUnits')), 'FontUnits', units);
    set(found, 'FontSize', rest{1});
    return
end
if numel(rest) == 2 && strcmpi(rest{1}, 'scale')
    change = @(size) size*rest{2};
elseif isscalar(rest) && strcmpi(rest{1}, 'increase')
    change = @(size) size*1.1;
elseif isscalar(rest) && strcmpi(rest{1}, 'decrease')
    change = @(size) size*0.9;
else
    error('MATLAB:graphics:fontsize:InvalidInputs', ...
        'Give a size and its units, ''increase'', ''decrease'', or ''scale'' and a factor.');
end
sizes = get(found, 'FontSize');
if ~iscell(sizes)
    sizes = {sizes};
end
for k = 1:numel(found)
    set(found(k), 'FontSize', change(sizes{k}));
end
end
