function e = NAME_energy(x, width)
% NAME_energy  Sum of the squares of a damped wave.
%   E = NAME_energy(X, WIDTH) adds up NAME_wave(X, WIDTH).^2 along the first dimension that is not 1.
arguments
    x {mustBeNumeric}
    width (1,1) double = 1
end
e = sum(NAME_wave(x, width).^2);
end
