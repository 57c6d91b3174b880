% oracle: Octave ignores arguments blocks
% dialect: matlab
disp(scale(2)); disp(scale(2, 5));
try, scale([1 2]), catch e, disp(e.identifier), end
function r = scale(x, f)
arguments
    x (1,1) double
    f (1,1) double = 10
end
r = x * f;
end
