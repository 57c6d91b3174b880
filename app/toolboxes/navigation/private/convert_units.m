function y = convert_units(name, x, from, to, units, factors)
% Values of one unit in another.
from = factors(strcmp(validatestring(from, units, name), units));
to = factors(strcmp(validatestring(to, units, name), units));
y = x*from/to;
end
