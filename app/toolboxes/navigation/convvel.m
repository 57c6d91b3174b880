function y = convvel(x, from, to)
% y = convvel(x, from, to): speeds in other units: ft/s, m/s, km/s, in/s, km/h, mph, kts, ft/min.
y = convert_units('convvel', x, from, to, {'ft/s', 'm/s', 'km/s', 'in/s', 'km/h', 'mph', 'kts', 'ft/min'}, ...
    [0.3048 1 1000 0.0254 1/3.6 0.44704 1852/3600 0.00508]);
end
