% oracle: Octave has no string class
% dialect: matlab
s = sprintf("%d-%s", 5, "x"); disp(class(s)); fprintf("%s\n", "text"); t = compose("%d", [1 2]); disp(t); num2str(3) + "!"
