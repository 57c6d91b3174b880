function y = convlength(x, from, to)
% y = convlength(x, from, to): lengths in other units: ft, m, km, in, mi, naut mi.
y = convert_units('convlength', x, from, to, {'ft', 'm', 'km', 'in', 'mi', 'naut mi'}, [0.3048 1 1000 0.0254 1609.344 1852]);
end
