% oracle: Octave has no dictionary
% dialect: matlab
d = dictionary([1 2], ["x" "y"]); e = d; e(1) = "changed"; disp(d(1)); disp(e(1)); disp(class(d));
