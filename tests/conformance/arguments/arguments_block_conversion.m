% oracle: Octave ignores arguments blocks
% dialect: matlab
conv_(int8(5)); conv_("3"); conv_([1;2]);
function conv_(x)
arguments
    x (1,:) double
end
disp(class(x)); disp(size(x));
end
