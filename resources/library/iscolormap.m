function tf = iscolormap(map)
% tf = iscolormap(map): true for a matrix of three columns with numbers from 0 to 1 (Octave's).
tf = isnumeric(map) && isreal(map) && ismatrix(map) && size(map, 2) == 3 && size(map, 1) > 0 && ...
    isfloat(map) && min(map(:)) >= 0 && max(map(:)) <= 1;
end
