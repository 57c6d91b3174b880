% oracle: Octave has no string class
% dialect: matlab
e = ""
disp(size(e)); disp(strlength(e)); m = string(missing)
ismissing(["a" missing])
strings(2, 2)
strings(0, 3)
