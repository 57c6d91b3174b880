function y = change_colours(name, x, m)
% The colours in the rows of a map or the pixels of an image, times a matrix.
x = im2double(x);
if ismatrix(x) && size(x, 2) == 3
    y = x*m';
elseif ndims(x) == 3 && size(x, 3) == 3
    y = reshape(reshape(x, [], 3)*m', size(x));
else
    error(['images:' name ':invalidSize'], 'The input must be a colour map (n-by-3) or an image of three planes.');
end
end
