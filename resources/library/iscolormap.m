function tf = iscolormap(map)
% tf = iscolormap(map): true for a matrix of floating-point numbers with three columns (Octave's; which numbers, it does not ask).
tf = isnumeric(map) && isreal(map) && ismatrix(map) && size(map, 2) == 3 && isfloat(map);
end
