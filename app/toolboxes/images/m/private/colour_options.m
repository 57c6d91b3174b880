function space = colour_options(name, args)
% The colour space that the options ask for.
p = inputParser;
p.FunctionName = name;
addParameter(p, 'ColorSpace', 'srgb');
addParameter(p, 'WhitePoint', 'd65');
parse(p, args{:});
space = validatestring(p.Results.ColorSpace, {'srgb', 'linear-rgb'}, name);
validatestring(p.Results.WhitePoint, {'d65'}, name);
end
