function [order, kind, unit] = qam_options(name, args, type)
% Order of the symbols, type of what is modulated, and whether the power is one.
[order, kind, unit] = deal('gray', 'integer', false);
if mod(numel(args), 2)
    order = args{1};
    args(1) = [];
end
o = inputParser;
o.FunctionName = name;
addParameter(o, type, 'integer');
addParameter(o, 'UnitAveragePower', false);
parse(o, args{:});
if isnumeric(order)
    if any(order ~= 0), error(['comm:' name ':unsupportedOption'], '%s takes the orders gray and bin, and no phase.', name); end
    order = 'bin';
end
order = validatestring(order, {'gray', 'bin'}, name);
kind = validatestring(o.Results.(type), {'integer', 'bit'}, name);
unit = o.Results.UnitAveragePower;
end
