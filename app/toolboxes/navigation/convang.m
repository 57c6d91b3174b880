function y = convang(x, from, to)
% y = convang(x, from, to): angles in other units: deg, rad, rev.
y = convert_units('convang', x, from, to, {'deg', 'rad', 'rev'}, [pi/180 1 2*pi]);
end
