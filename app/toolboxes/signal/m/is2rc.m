function k = is2rc(is)
% k = is2rc(is): reflection coefficients of inverse sines, sin(is*pi/2).
k = sin(is*pi/2);
end
